import { LandfallError, type Problem } from '#contract/errors.ts';
import type { FileDifference } from '../host/host.ts';
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
