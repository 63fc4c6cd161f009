import { LandfallError, type Problem } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { readText, statIfPresent } from '../host/files.ts';
import type { FileDifference, Host } from '../host/host.ts';
import type { Context, Stage, StageName } from './stage.ts';

export interface PlannedStage {
  readonly name: StageName;
  readonly title: string;
  /** One line per pending action; empty if there is nothing to do. */
  readonly todo: readonly string[];
  /** The files among them that exist or would be written. */
  readonly files: readonly FileDifference[];
  /** Why the pending actions cannot be determined yet. */
  readonly obstacle?: string;
  /** Details of the obstacle. */
  readonly problems?: readonly Problem[];
  readonly hint?: string;
}

/**
 * Returns what a first boot would do on this server. Read-only. A stage whose check fails has an
 * obstacle instead of actions.
 */
export async function planStages(
  stages: readonly Stage[],
  context: Context,
): Promise<PlannedStage[]> {
  const plan: PlannedStage[] = [];
  for (const stage of stages) {
    const { name, title } = stage;
    plan.push({ name, title, ...(await look(stage, context)) });
  }
  return plan;
}

async function look(stage: Stage, context: Context): Promise<Omit<PlannedStage, 'name' | 'title'>> {
  const found: FileDifference[] = [];
  const host = context.host.observed((difference) => found.push(difference));
  try {
    const todo = await stage.check({ ...context, host });
    return { todo, files: todo.length > 0 ? found : [] };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const { message, problems, hint } = error;
    return {
      todo: [],
      files: [],
      obstacle: message,
      ...(problems.length > 0 ? { problems } : {}),
      ...(hint ? { hint } : {}),
    };
  }
}

function modeChange(path: string, before: string, after: string): Text {
  return {
    en: `/${path}: mode ${before} would become ${after}`,
    zh: `/${path}：权限将从 ${before} 变为 ${after}`,
  };
}

function isPrivate(path: string): Text {
  return {
    en: `/${path}: the content differs and is private`,
    zh: `/${path}：内容不同，且不公开`,
  };
}

/** Every user may read the file, so it contains no secrets. */
const readableByAll = 0o004;

/**
 * Returns the difference between a file and what a stage would write, as lines of a unified diff. A
 * file that only some users may read can contain secrets, so its content is not shown. Empty for a
 * file that does not exist yet.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function diffFile(
  host: Host,
  { path, content, mode }: FileDifference,
): Promise<string[]> {
  const found = await statIfPresent(host, path);
  if (!found) return [];
  const before = found.mode & 0o7777;
  const octal = (bits: number) => bits.toString(8).padStart(3, '0');
  const permissions =
    before === mode ? [] : [inLanguage(modeChange(path, octal(before), octal(mode)))];
  if ((before & mode & readableByAll) === 0) {
    const isSame = (await readText(host, path)) === content;
    return [...permissions, ...(isSame ? [] : [inLanguage(isPrivate(path))])];
  }
  const labels = ['--label', `/${path}`, '--label', `/${path} (new)`];
  const { stdout } = await host.run('diff', ['--unified', ...labels, host.path(path), '-'], {
    input: content,
    accept: [1],
  });
  return [...permissions, ...(stdout === '' ? [] : stdout.split('\n'))];
}
