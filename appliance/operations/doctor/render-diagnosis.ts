import { currentLanguage, inLanguage } from '#contract/text/language.ts';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { translated } from '#contract/text/translated.ts';
import { remedyFor } from './codes.ts';
import type { Diagnosis } from './diagnosis.ts';
import { pages } from './pages.ts';

type Diagnosed = Diagnosis['findings'][number];

/** Maximum length of a line from programs and the network, in characters. */
const max = 500;
/** Maximum number of details per finding; `--json` has all. */
const maxDetails = 8;

/**
 * Formats the findings with their remedies. Possible consequences are listed below their cause. A
 * healthy server gets one line.
 */
export function renderDiagnosis(diagnosis: Diagnosis, paint: Paint = unpainted): string {
  const { findings } = diagnosis;
  const causes = findings.filter(({ follows }) => follows === undefined);
  const consequences = Map.groupBy(
    findings.filter(({ follows }) => follows !== undefined),
    (finding) => rootOf(finding, findings),
  );
  const blocks = [
    ...causes.map((finding) =>
      [...block(finding, paint), ...folded(consequences.get(finding) ?? [], paint)].join('\n'),
    ),
    skippedLines(diagnosis).join('\n'),
    summary(diagnosis, causes.length, paint),
  ];
  return blocks.filter((text) => text !== '').join('\n\n');
}

/** Returns the first cause of a finding. Causes have a code above those of their consequences. */
function rootOf(finding: Diagnosed, findings: readonly Diagnosed[]): Diagnosed {
  const cause = findings.find(({ code }) => code === finding.follows);
  return cause ? rootOf(cause, findings) : finding;
}

/** In Chinese, the meaning of the code comes first; the text follows, because it names the subject. */
function block(
  { code, subject, text, details = [], remedy, fix }: Diagnosed,
  paint: Paint,
): string[] {
  const known = currentLanguage() === 'zh' ? pages.zh.findings[code] : undefined;
  const line = plainLine(inLanguage(text), max);
  const shown = details.slice(0, maxDetails).map((line) => `  ${plainLine(translated(line), max)}`);
  const more = details.length - shown.length;
  return [
    `${paint('red', code)}  ${known?.meaning ?? line}`,
    ...(known ? [`  ${line}`] : []),
    ...shown,
    ...(more > 0
      ? [`  ${inLanguage({ en: `… and ${more} more`, zh: `…… 另有 ${more} 项` })}`]
      : []),
    `  ${paint('yellow', inLanguage(words.remedy))}: ${known ? remedyFor(code, subject, 'zh') : remedy}`,
    ...(fix
      ? [
          `  ${paint('yellow', inLanguage(words.automatic))}: ${inLanguage({ en: `--fix will ${fix.does.en}`, zh: `--fix 会${fix.does.zh}` })}`,
        ]
      : []),
  ];
}

/** Returns one line with the codes and subjects of consequences. */
function folded(consequences: readonly Diagnosed[], paint: Paint): string[] {
  if (consequences.length === 0) return [];
  const byCode = Map.groupBy(consequences, ({ code }) => code);
  const list = [...byCode].map(([code, findings]) => {
    const subjects = new Set(findings.map(({ subject }) => plainLine(subject, max)));
    return `${code} (${[...subjects].join(', ')})`;
  });
  return [`  ${paint('dim', inLanguage(words.consequences))}: ${list.join(', ')}`];
}

function skippedLines({ skipped }: Diagnosis): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => inLanguage(reason))].map(
    ([reason, checks]) =>
      `${inLanguage(words.skipped)} (${reason}): ${checks.map(({ name }) => name).join(', ')}`,
  );
}

function summary({ checks, findings }: Diagnosis, causes: number, paint: Paint): string {
  const [first] = findings;
  if (!first) {
    const none = paint('green', inLanguage({ en: 'no findings', zh: '没有发现问题' }));
    return inLanguage({ en: `${checks} checks, ${none}`, zh: `${checks} 项检查，${none}` });
  }
  const consequences = findings.length - causes;
  const count = {
    en: [
      counted(causes, 'finding'),
      ...(consequences > 0 ? [counted(consequences, 'consequence')] : []),
    ].join(' and '),
    zh: `${causes} 个问题${consequences > 0 ? `，${consequences} 个后果` : ''}`,
  };
  const advice = first.fix
    ? { en: 'run `sudo landfall doctor --fix`', zh: '运行 `sudo landfall doctor --fix`' }
    : { en: 'follow its remedy', zh: '按它的处理方法操作' };
  return inLanguage({
    en: `${checks} checks, ${paint('bold', count.en)}. Start with ${first.code}: ${advice.en}`,
    zh: `${checks} 项检查，${paint('bold', count.zh)}。请先处理 ${first.code}：${advice.zh}`,
  });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const words = {
  remedy: { en: 'remedy', zh: '处理方法' },
  automatic: { en: 'automatic', zh: '自动修复' },
  skipped: { en: 'not checked', zh: '未检查' },
  consequences: { en: 'probably only consequences', zh: '可能只是后果' },
};
