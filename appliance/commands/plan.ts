import type { Command } from 'commander';
import { formatProblem } from '#contract/text/problem.ts';
import { stagesFor } from '../first-boot.ts';
import { describeLimits } from '../stack/describe-limits.ts';
import { describeModelChoice, localModels } from '../stack/local-models.ts';
import { type PlannedStage, planStages } from '../stage/plan.ts';
import { silentReporter } from '../stage/reporter.ts';
import type { JsonFlag } from './json-flag.ts';
import { rootCommand } from './root-command.ts';
import { serverFacts } from './server-facts.ts';

const example = `
Example:
  sudo landfall plan
`;

/** `landfall plan`: shows what a first boot would do now. */
export function planCommand(): Command {
  return rootCommand('plan')
    .description('show what a first boot would do; changes nothing')
    .option('--json', 'print the plan as JSON')
    .addHelpText('after', example)
    .action(plan);
}

async function plan({ json }: JsonFlag): Promise<void> {
  const facts = await serverFacts();
  const order = stagesFor(facts);
  const planned = await planStages(order, { ...facts, report: silentReporter });
  if (json) return console.log(JSON.stringify(planned, null, 2));
  const { release, site, server } = facts;
  const chosen = describeModelChoice(localModels(release, site, server), server);
  console.log(`${describePlan(planned)}\n\n${chosen}\n\n${describeLimits(site, server)}`);
}

/** Formats one line per stage, followed by its pending actions. */
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
    `      ! not known yet: ${obstacle}`,
    ...problems.map((problem) => `        ${formatProblem(problem)}`),
    ...(hint ? [`        hint: ${hint}`] : []),
  ];
}
