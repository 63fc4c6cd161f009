import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Context, Stage, StageName } from './stage.ts';

export interface PlannedStage {
  readonly name: StageName;
  readonly title: string;
  /** One sentence for each thing that would be done; nothing when all is as it should be. */
  readonly todo: readonly string[];
  /** Why nobody can tell yet what this stage would do. */
  readonly obstacle?: string;
  /** What that is made of, and what to do about it. */
  readonly problems?: readonly Problem[];
  readonly hint?: string;
}

/**
 * What a first boot would do on this server now. Changes nothing. A stage that cannot tell does not
 * hide the others.
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
  try {
    return { todo: await stage.check(context) };
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const { message, problems, hint } = error;
    return {
      todo: [],
      obstacle: message,
      ...(problems.length > 0 ? { problems } : {}),
      ...(hint ? { hint } : {}),
    };
  }
}
