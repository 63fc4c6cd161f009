import { stages } from '../first-boot.ts';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { loadFacts } from '../load-facts.ts';
import { describeLimits } from '../stack/describe-limits.ts';
import { describeModelChoice, localModels } from '../stack/local-models.ts';
import { type PlannedStage, planStages } from '../stage/plan.ts';
import type { Command } from './command.ts';
import { describeProblem } from './describe-error.ts';
import { readFlags } from './read-flags.ts';
import { releaseFolder } from './release-folder.ts';

export const planCommand: Command = {
  summary: 'show what a first boot would do here now; changes nothing',
  usage: '[--json]',
  example: 'sudo landfall plan',
  root: true,
  run: async (args) => {
    const { json } = readFlags('plan', args, ['json']);
    const facts = await loadFacts(new Host('/', runCommand), await releaseFolder());
    const report = { say: () => {}, progress: () => {}, warn: () => {} };
    const plan = await planStages(stages, { ...facts, report });
    if (json) return console.log(JSON.stringify(plan, null, 2));
    const { release, site, server } = facts;
    const chosen = describeModelChoice(localModels(release, site, server));
    console.log(`${describePlan(plan)}\n\n${chosen}\n\n${describeLimits(site, server)}`);
  },
};

/** One line a stage, and under it what it would do. */
export function describePlan(plan: readonly PlannedStage[]): string {
  return plan
    .flatMap((stage, index) => [
      `${String(index + 1).padStart(2)}  ${stage.title}`,
      ...stage.todo.map((line) => `      - ${line}`),
      ...describeObstacle(stage),
      ...(stage.todo.length === 0 && stage.obstacle === undefined ? ['      nothing to do'] : []),
    ])
    .join('\n');
}

function describeObstacle({ obstacle, problems = [], hint }: PlannedStage): string[] {
  if (obstacle === undefined) return [];
  return [
    `      ! cannot tell yet: ${obstacle}`,
    ...problems.map((problem) => `        ${describeProblem(problem)}`),
    ...(hint ? [`        hint: ${hint}`] : []),
  ];
}
