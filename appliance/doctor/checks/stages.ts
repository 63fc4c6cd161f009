import { formatProblem } from '#contract/text/problem.ts';
import { planStages } from '../../stage/plan.ts';
import type { Stage } from '../../stage/stage.ts';
import { type Check, hasStageFix, stageFix } from '../finding.ts';

/** Returns one check per stage, which reports what a first boot would change now. */
export function stageChecks(stages: readonly Stage[]): Check[] {
  return stages.map((stage) => ({
    name: `stage-${stage.name}`,
    root: true,
    needs: 'site',
    run: async (context) => {
      const planned = await planStages([stage], context);
      return planned
        .filter(({ todo, obstacle }) => todo.length > 0 || obstacle !== undefined)
        .map(({ todo, obstacle, problems = [], hint }) => ({
          code: 'STAGE_PENDING',
          subject: stage.name,
          text:
            obstacle === undefined
              ? `the stage ${stage.name} has ${todo.length} pending ${todo.length === 1 ? 'change' : 'changes'}`
              : `the stage ${stage.name} cannot be checked: ${obstacle}`,
          details: [
            ...todo,
            ...problems.map((problem) => formatProblem(problem)),
            ...(hint ? [hint] : []),
          ],
          ...(hasStageFix(stage.name) ? { fix: stageFix(stage.name) } : {}),
        }));
    },
  }));
}
