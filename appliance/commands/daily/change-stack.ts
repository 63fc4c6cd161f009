import { LandfallError, type Problem } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { hasJoined } from '../../nodes/swarm/membership.ts';
import { awaitTask, restartTask } from '../../nodes/swarm/node-task.ts';
import { withoutSecrets } from '../../relay/redact/redaction.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import type { Context } from '../../server/stage/stage.ts';
import { readSecrets } from '../../stages/secrets/secret-values.ts';
import { awaitHealth } from '../../stages/stack/await-health.ts';
import { compose, reloadGateway, wantedServices } from '../../stages/stack/compose.ts';
import { ranBySwarm } from '../../stages/stack/describe-stack.ts';
import {
  componentStates,
  containerOf,
  isUp,
  serviceStates,
  statesOf,
} from '../../stages/stack/stack-state.ts';
import { startServices } from '../../stages/stack/stage.ts';
import { forgetStopped, readStopped, rememberStopped } from '../../stages/stack/stopped.ts';
import { askFor } from '../ask-yes.ts';
import { awaitAnswers } from './answers.ts';
import { interruptionOf } from './interruptions.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Seconds. The chat UI may need a minute to stop, and others wait for it. */
const composeSeconds = 1200;
const quotedLines = 20;

/**
 * Restarts a component, or all in the order of their dependencies, and waits until they are healthy.
 * @param yes answers the question
 * @throws LandfallError USAGE for an unknown component, ALREADY_RUNNING, STACK_UNHEALTHY with the last
 * lines of the log
 */
export async function restart(
  context: Context,
  component: string | undefined,
  yes: boolean,
): Promise<void> {
  const services = await knownServices(context, component);
  if (!(await isAccepted(interruptionOf(component, 'seconds'), yes))) return;
  await whileLocked(context, async () => {
    if (await isTask(context, component)) return await restartNode(context, 'required');
    const stopped = await readStopped(context.host);
    const names = component ? [component] : services.filter((name) => !stopped.has(name));
    await awaitAnswers(context, names, console.log);
    await forgetStopped(context.host, names);
    const failure = await failureOf(run(context, ['restart', '--no-deps', ...names]));
    // Compose restarts only containers that exist.
    await startMissing(context, names);
    await becomeHealthy(context, names);
    if (failure) throw failure;
    if (component === undefined && (await hasJoined(context.host))) await restartNode(context);
  });
  console.log(
    component
      ? say(`${component} has been restarted and is healthy.`, `${component} 已重启，状态正常。`)
      : say('All components have been restarted and are healthy.', '所有组件已重启，状态正常。'),
  );
}

/**
 * Stops a component, and records it.
 * @throws LandfallError USAGE for an unknown component, ALREADY_RUNNING, COMMAND_FAILED
 */
export async function stop(context: Context, component: string, yes: boolean): Promise<void> {
  await knownServices(context, component);
  await rejectTask(context, component);
  if (!(await isAccepted(interruptionOf(component, 'stopped'), yes))) return;
  const { host } = context;
  await whileLocked(context, async () => {
    await awaitAnswers(context, [component], console.log);
    const isFirst = !(await readStopped(host)).has(component);
    if (isFirst) await rememberStopped(host, component);
    try {
      await run(context, ['stop', component]);
    } catch (error) {
      if (isFirst) await forgetStopped(host, [component]);
      throw error;
    }
  });
  const command = `sudo landfall start ${component}`;
  console.log(
    say(
      `${component} is stopped, also after a reboot. To start it: ${command}`,
      `${component} 已停止，重启服务器后也不会启动。启动它：${command}`,
    ),
  );
}

/**
 * Starts a component, or all that do not run, and waits until they are healthy.
 * @throws LandfallError USAGE for an unknown component, ALREADY_RUNNING, STACK_UNHEALTHY
 */
export async function start(context: Context, component: string | undefined): Promise<void> {
  const services = await knownServices(context, component);
  await rejectTask(context, component);
  const names = component ? [component] : services;
  await whileLocked(context, async () => {
    if (component) await run(context, ['up', '--detach', '--no-deps', component]);
    else await startServices(context);
    await forgetStopped(context.host, names);
    await becomeHealthy(context, names);
  });
  console.log(
    component
      ? say(`${component} is running and healthy.`, `${component} 正在运行，状态正常。`)
      : say('All components are running and healthy.', '所有组件正在运行，状态正常。'),
  );
}

/** Returns the services of this server. @throws LandfallError USAGE if the component is none of them */
async function knownServices(
  { host, releaseFolder }: Context,
  component: string | undefined,
): Promise<string[]> {
  const services = await wantedServices(host, releaseFolder);
  if (component === undefined || services.includes(component)) return services;
  const tasks = (await hasJoined(host)) ? [task] : [];
  if (tasks.includes(component)) return tasks;
  throw new LandfallError('USAGE', `not a component of this server: ${plainLine(component)}`, {
    hint: {
      en: `Choose from: ${[...tasks, ...services].join(', ')}.`,
      zh: `可选：${[...tasks, ...services].join('、')}。`,
    },
  });
}

/** The component that a Swarm runs on its nodes. */
const task = 'engine';

async function isTask({ host }: Context, component: string | undefined): Promise<boolean> {
  return component === task && (await hasJoined(host));
}

/** @throws LandfallError USAGE for the Ollama of a node of a Swarm */
async function rejectTask(context: Context, component: string | undefined): Promise<void> {
  if (!(await isTask(context, component))) return;
  throw new LandfallError('USAGE', 'the first server of the Swarm starts and stops Ollama here', {
    hint: {
      en: 'Run there: sudo landfall node drain <name>, or sudo landfall node resume <name>',
      zh: '请在那里运行：sudo landfall node drain <名称>，或 sudo landfall node resume <名称>',
    },
  });
}

/**
 * Restarts Ollama of a node, if the first server does not have it drained.
 * @param required whether a drained node is an error
 * @throws LandfallError STACK_UNHEALTHY
 */
async function restartNode(context: Context, required?: 'required'): Promise<void> {
  if (await restartTask(context.host)) {
    await awaitTask(context.host);
    return await becomeHealthy(context, [task]);
  }
  if (!required) return console.log(`${task}: ${inLanguage(ranBySwarm)}`);
  throw new LandfallError('STACK_UNHEALTHY', 'the Swarm runs no Ollama on this node', {
    hint: {
      en: 'Run `sudo landfall node list` on the first server: this node may be drained.',
      zh: '在第一台服务器上运行 `sudo landfall node list`：这个节点可能已被停用。',
    },
  });
}

async function isAccepted(interruption: string, yes: boolean): Promise<boolean> {
  if (yes) return true;
  const question = say(
    `Interrupted: ${interruption}. Continue? [y/N] `,
    `影响：${interruption}。继续吗？[y/N] `,
  );
  if (await askFor('y', question, '--yes')) return true;
  console.log(say('Nothing was changed.', '没有做任何更改。'));
  return false;
}

async function whileLocked({ host }: Context, work: () => Promise<void>): Promise<void> {
  const lock = await takeChangeLock(host, (line) => process.stderr.write(`${line}\n`));
  try {
    await work();
  } finally {
    await lock.release();
  }
}

async function run({ host, releaseFolder }: Context, args: readonly string[]): Promise<void> {
  await compose(host, releaseFolder, args, { seconds: composeSeconds });
}

/** Compose fails for a component that others wait for. Its state and its log say more. */
async function failureOf(work: Promise<void>): Promise<LandfallError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'COMMAND_FAILED') return error;
    throw error;
  }
}

async function startMissing(context: Context, names: readonly string[]): Promise<void> {
  const states = statesOf(names, await serviceStates(context.host));
  const missing = states.filter(({ state }) => state === 'missing').map(({ name }) => name);
  if (missing.length > 0) await run(context, ['up', '--detach', '--no-deps', ...missing]);
}

/** Waits, and adds the end of the log of each component that failed. */
async function becomeHealthy(context: Context, names: readonly string[]): Promise<void> {
  try {
    await awaitHealth(context, names);
  } catch (error) {
    if (!(error instanceof LandfallError) || error.code !== 'STACK_UNHEALTHY') throw error;
    throw new LandfallError('STACK_UNHEALTHY', error.message, {
      problems: [...error.problems, ...(await lastLines(context, names))],
      hint: { en: 'Run `sudo landfall doctor`.', zh: '运行 `sudo landfall doctor`。' },
      cause: error,
    });
  }
  // The gateway would use the previous addresses of restarted components for ten more seconds.
  const gateway = statesOf(['gateway'], await serviceStates(context.host));
  if (gateway.every(isUp)) await reloadGateway(context.host);
}

async function lastLines(
  { host, site }: Context,
  names: readonly string[],
): Promise<readonly Problem[]> {
  const states = statesOf(names, await componentStates(host, site));
  const hide = withoutSecrets(Object.values(await readSecrets(host, site)));
  const found: Problem[] = [];
  for (const { name } of states.filter((state) => !isUp(state))) {
    const lines: string[] = [];
    const container = await containerOf(host, name);
    await host.run('docker', ['logs', '--tail', `${quotedLines}`, container], {
      // A container without a log, or none.
      accept: [1],
      onLine: (line) => lines.push(plainLine(hide(line), 300)),
    });
    found.push(...lines.slice(-quotedLines).map((line) => ({ message: `${name} | ${line}` })));
  }
  return found;
}
