import type { Context, Stage, StageName } from './stage.ts';

export interface PlannedStage {
  readonly name: StageName;
  readonly title: string;
  /** One sentence for each thing that would be done; nothing when all is as it should be. */
  readonly todo: readonly string[];
}

/** What a first boot would do on this server now. Changes nothing. */
export async function planStages(
  stages: readonly Stage[],
  context: Context,
): Promise<PlannedStage[]> {
  const plan: PlannedStage[] = [];
  for (const stage of stages) {
    const { name, title } = stage;
    plan.push({ name, title, todo: await stage.check(context) });
  }
  return plan;
}
