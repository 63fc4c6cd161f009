import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isEnabled } from '#contract/site/enabled.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Context } from '../../server/stage/stage.ts';
import { jsonOf } from '../../shared/smoke/exchange.ts';
import { callUi, signIn } from '../../shared/smoke/ui-session.ts';
import { serverTarget } from '../../stages/smoke/target.ts';

/** Components without which the chat UI cannot finish an answer. */
const writers = new Set(['ui', 'engine', 'balancer', 'relay']);
/** Milliseconds until answers are interrupted, and between two questions. */
const limit = 60_000;
const pause = 1000;

/** Open WebUI 0.12, main.py: each answer of a chat is a task. */
const tasksSchema = z.object({ tasks: z.array(z.string()) });

/**
 * Waits until the chat UI writes no answer, at most a minute, and says how many it waits for and how many
 * are interrupted. Does not wait for a chat UI that does not respond.
 * @param changed components that are about to stop
 * @param wait replaces the pause between two questions; milliseconds
 */
export async function awaitAnswers(
  context: Pick<Context, 'host' | 'site' | 'release' | 'releaseFolder' | 'server'>,
  changed: readonly string[],
  say: (line: string) => void,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  const { host, site } = context;
  if (!isEnabled(site, 'ui') || !changed.some((name) => writers.has(name))) return;
  const target = await serverTarget(context);
  const count = async () => {
    try {
      const token = await signIn(target);
      return tasksSchema.parse(jsonOf(await callUi(target, '/api/tasks', {}, token))).tasks.length;
    } catch {
      return 0;
    }
  };
  await host.outside.measure(async () => {
    const end = performance.now() + limit;
    let answers = await count();
    if (answers > 0) say(inLanguage(waitingFor(answers)));
    while (answers > 0 && performance.now() < end) {
      await wait(pause);
      answers = await count();
    }
    if (answers > 0) say(inLanguage(interrupted(answers)));
  });
}

function waitingFor(answers: number) {
  return {
    en: `${counted(answers)} being written; waiting up to ${limit / 1000} s`,
    zh: `正在生成 ${answers} 个回答，最多等待 ${limit / 1000} 秒`,
  };
}

function interrupted(answers: number) {
  return { en: `${counted(answers)} interrupted`, zh: `${answers} 个回答被中断` };
}

function counted(answers: number): string {
  return answers === 1 ? '1 answer is' : `${answers} answers are`;
}
