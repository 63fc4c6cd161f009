import { type Paint, unpainted } from '#contract/text/paint.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Diagnosis } from './diagnosis.ts';

type Diagnosed = Diagnosis['findings'][number];

/** Maximum length of a line from programs and the network, in characters. */
const longest = 500;
/** Maximum number of details per finding; `--json` has all. */
const mostDetails = 8;

/** Formats the findings with their remedies. A healthy server gets one line. */
export function renderDiagnosis(diagnosis: Diagnosis, paint: Paint = unpainted): string {
  const { findings } = diagnosis;
  const causes = findings.filter(({ follows }) => follows === undefined);
  const consequences = findings.filter(({ follows }) => follows !== undefined);
  const blocks = [
    ...causes.map((finding) => block(finding, paint).join('\n')),
    consequences.map((finding) => consequence(finding, paint)).join('\n'),
    skippedLines(diagnosis).join('\n'),
    summary(diagnosis, paint),
  ];
  return blocks.filter((text) => text !== '').join('\n\n');
}

function block({ code, text, details = [], remedy, fix }: Diagnosed, paint: Paint): string[] {
  const shown = details.slice(0, mostDetails).map((line) => `  ${plainLine(line, longest)}`);
  const more = details.length - shown.length;
  return [
    `${paint('red', code)}  ${plainLine(text, longest)}`,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more`] : []),
    `  ${paint('yellow', 'remedy')}: ${remedy}`,
    ...(fix ? [`  ${paint('yellow', 'automatic')}: --fix will ${fix.does}`] : []),
  ];
}

function consequence({ code, text, follows }: Diagnosed, paint: Paint): string {
  const note = paint('dim', `(may follow from ${follows})`);
  return `${paint('red', code)}  ${plainLine(text, longest)} ${note}`;
}

function skippedLines({ skipped }: Diagnosis): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, checks]) => `not checked (${reason}): ${checks.map(({ name }) => name).join(', ')}`,
  );
}

function summary({ checks, findings }: Diagnosis, paint: Paint): string {
  const [first] = findings;
  if (!first) return `${checks} checks, ${paint('green', 'no findings')}`;
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const advice = first.fix ? 'run `sudo landfall doctor --fix`' : 'follow its remedy';
  return `${checks} checks, ${paint('bold', count)}. Start with ${first.code}: ${advice}`;
}
