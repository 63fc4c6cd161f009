import { describeLimits } from '#contract/sizes/limits.ts';
import { describeModelChoice, localModels } from '#contract/sizes/local-models.ts';
import { stripEscapeSequences } from '#contract/text/display-width.ts';
import { hintLabel } from '#contract/text/error.ts';
import { inLanguage } from '#contract/text/language.ts';
import { unprintable } from '#contract/text/plain-line.ts';
import { formatProblem } from '#contract/text/problem.ts';
import type { Host } from '../server/host/host.ts';
import { diffFile, type PlannedStage, planStages } from '../server/stage/plan.ts';
import { silentReporter } from '../server/stage/reporter.ts';
import { titleOf } from '../server/stage/stage-texts.ts';
import { stagesFor } from '../stages/first-boot.ts';
import { findGpu } from '../stages/stack/docker-abilities.ts';
import { describeDocumentLimits, documentLimits } from '../stages/stack/document-limits.ts';
import { exampleText, type JsonFlag, rootCommand, serverFacts } from './command.ts';

/** Longer lines are shortened. Characters. */
const maxLine = 2000;

/** `landfall plan`: shows what a first boot would do now. */
export function planCommand() {
  return rootCommand('plan')
    .description('show what a first boot would do; changes nothing')
    .option('--json', 'print the plan as JSON')
    .addHelpText('after', exampleText('sudo landfall plan'))
    .action(plan);
}

async function plan({ json }: JsonFlag): Promise<void> {
  const facts = await serverFacts();
  const order = stagesFor(facts);
  const planned = await planStages(order, { ...facts, report: silentReporter });
  const shown = await Promise.all(planned.map((stage) => withDiff(facts.host, stage)));
  if (json) return console.log(JSON.stringify(shown, null, 2));
  const { release, site, server } = facts;
  const models = localModels(release, site, server);
  const gpu = await findGpu(facts.host);
  console.log(`${describePlan(shown)}

${describeModelChoice(models, server, site)}

${describeDocumentLimits(documentLimits(models.embedding, { ...server, gpu }))}

${describeLimits(site, server)}`);
}

/** A stage of the plan, with the differences of its files instead of their contents. */
interface ShownStage extends Omit<PlannedStage, 'files'> {
  /** Lines of unified diffs. */
  readonly diff: readonly string[];
}

/** Replaces the contents of files, which may be secret, by their differences. */
async function withDiff(host: Host, { files, ...stage }: PlannedStage): Promise<ShownStage> {
  const diffs = await Promise.all(files.map((file) => diffFile(host, file)));
  return { ...stage, diff: diffs.flat() };
}

/** Formats one line per stage, followed by its pending actions and the differences of its files. */
export function describePlan(plan: readonly ShownStage[]): string {
  return plan
    .flatMap((stage, index) => [
      `${String(index + 1).padStart(2)}  ${titleOf(stage)}`,
      ...stage.todo.map((line) => `      - ${line}`),
      // Lines of a diff keep their first column, so that it can be copied.
      ...stage.diff.map(plainDiff),
      ...describeObstacle(stage),
      ...(stage.todo.length === 0 && stage.obstacle === undefined
        ? [`      ${inLanguage(nothing)}`]
        : []),
    ])
    .join('\n');
}

const nothing = { en: 'nothing to do', zh: '无需更改' };

/** Returns a line of a file without escape sequences. Its white space is a part of the diff. */
function plainDiff(line: string): string {
  const plain = stripEscapeSequences(line.slice(0, maxLine));
  return plain.replace(unprintable, (found) => (found === '\t' ? found : ' '));
}

function describeObstacle({ obstacle, problems = [], hint }: ShownStage): string[] {
  if (obstacle === undefined) return [];
  return [
    `      ! ${inLanguage({ en: `not known yet: ${obstacle}`, zh: `还无法确定：${obstacle}` })}`,
    ...problems.map((problem) => `        ${formatProblem(problem)}`),
    ...(hint ? [`        ${inLanguage(hintLabel)}: ${hint}`] : []),
  ];
}
