import { currentLanguage, inLanguage } from '#contract/text/language.ts';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { chineseFindings } from './chinese-findings.ts';
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

/** In Chinese, the meaning of the code comes first; the text follows, because it names the subject. */
function block({ code, text, details = [], remedy, fix }: Diagnosed, paint: Paint): string[] {
  const known = currentLanguage() === 'zh' ? chineseFindings[code] : undefined;
  const shown = details.slice(0, mostDetails).map((line) => `  ${plainLine(line, longest)}`);
  const more = details.length - shown.length;
  return [
    `${paint('red', code)}  ${known?.meaning ?? plainLine(text, longest)}`,
    ...(known ? [`  ${plainLine(text, longest)}`] : []),
    ...shown,
    ...(more > 0
      ? [`  ${inLanguage({ en: `… and ${more} more`, zh: `…… 另有 ${more} 项` })}`]
      : []),
    `  ${paint('yellow', inLanguage(words.remedy))}: ${known?.remedy ?? remedy}`,
    ...(fix
      ? [
          `  ${paint('yellow', inLanguage(words.automatic))}: ${inLanguage({ en: `--fix will ${fix.does}`, zh: `--fix: ${fix.does}` })}`,
        ]
      : []),
  ];
}

function consequence({ code, text, follows }: Diagnosed, paint: Paint): string {
  const note = { en: `(may follow from ${follows})`, zh: `（可能由 ${follows} 引起）` };
  return `${paint('red', code)}  ${plainLine(text, longest)} ${paint('dim', inLanguage(note))}`;
}

function skippedLines({ skipped }: Diagnosis): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, checks]) =>
      `${inLanguage(words.skipped)} (${reason}): ${checks.map(({ name }) => name).join(', ')}`,
  );
}

function summary({ checks, findings }: Diagnosis, paint: Paint): string {
  const [first] = findings;
  if (!first) {
    const none = paint('green', inLanguage({ en: 'no findings', zh: '没有发现问题' }));
    return inLanguage({ en: `${checks} checks, ${none}`, zh: `${checks} 项检查，${none}` });
  }
  const { length } = findings;
  const count = { en: length === 1 ? '1 finding' : `${length} findings`, zh: `${length} 个问题` };
  const advice = first.fix
    ? { en: 'run `sudo landfall doctor --fix`', zh: '运行 `sudo landfall doctor --fix`' }
    : { en: 'follow its remedy', zh: '按它的处理方法操作' };
  return inLanguage({
    en: `${checks} checks, ${paint('bold', count.en)}. Start with ${first.code}: ${advice.en}`,
    zh: `${checks} 项检查，${paint('bold', count.zh)}。请先处理 ${first.code}：${advice.zh}`,
  });
}

const words = {
  remedy: { en: 'remedy', zh: '处理方法' },
  automatic: { en: 'automatic', zh: '自动修复' },
  skipped: { en: 'not checked', zh: '未检查' },
};
