import { formatProblem } from '#contract/text/problem.ts';
import { planStages } from '../../stage/plan.ts';
import type { Stage, StageName } from '../../stage/stage.ts';
import { type Check, type Fix, type SafeStage, stageFix } from '../finding.ts';

/** Whether a stage has a safe fix: `by hand` could lock out the administrator or set the clock. */
const fixes: Readonly<Record<StageName, 'safe' | 'by hand'>> = {
  preflight: 'by hand',
  route: 'safe',
  users: 'by hand',
  ssh: 'by hand',
  firewall: 'by hand',
  ban: 'by hand',
  kernel: 'safe',
  runtime: 'safe',
  images: 'safe',
  secrets: 'safe',
  stack: 'safe',
  tls: 'safe',
  models: 'safe',
  smoke: 'safe',
  report: 'safe',
};

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
              ? `the stage ${stage.name} has ${todo.length} pending changes`
              : `the stage ${stage.name} cannot be checked: ${obstacle}`,
          details: [
            ...todo,
            ...problems.map((problem) => formatProblem(problem)),
            ...(hint ? [hint] : []),
          ],
          ...fixOf(stage.name),
        }));
    },
  }));
}

function fixOf(name: StageName): { fix?: Fix } {
  if (!isSafe(name)) return {};
  return { fix: stageFix(name, `run the stage ${name} of the first boot`) };
}

function isSafe(name: StageName): name is SafeStage {
  return fixes[name] === 'safe';
}
