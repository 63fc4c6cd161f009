import { formatDuration } from '#contract/text/duration.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { progressRow } from '#terminal/progress-row.ts';
import { runAgain } from '../../stage/retry-advice.ts';
import type { Status } from '../status.ts';
import { errorLines } from './error-lines.ts';
import type { Brevity, Row, Shown } from './row.ts';
import { stageRows } from './stage-rows.ts';

/**
 * Renders the stages of a first boot, one row each, then the current action, warnings and errors.
 * @param now milliseconds since 1970
 */
export function renderTable(shown: Shown, now: number, brevity: Brevity = []): Row[] {
  const { status, interrupted } = shown;
  const until = status.state === 'running' && !interrupted ? now : Date.parse(status.updated);
  return [
    { text: headline(shown, until), colour: 'bold' },
    { text: '' },
    ...stageRows(shown, until, brevity),
    ...foot(shown, brevity),
  ];
}

function headline({ status, interrupted }: Shown, until: number): string {
  const { product, release, state, started, waitsFor } = status;
  const time = formatDuration(Math.max(0, until - Date.parse(started)));
  const words = {
    running: { en: `the first boot has been running for ${time}`, zh: `首次启动已运行 ${time}` },
    waiting: { en: `the first boot waits for its ${waitsFor}`, zh: '首次启动正在等待导入代理节点' },
    interrupted: {
      en: `the first boot was interrupted after ${time}`,
      zh: `首次启动在 ${time} 后中断`,
    },
    done: { en: `the first boot took ${time}`, zh: `首次启动用时 ${time}` },
    failed: { en: `the first boot failed after ${time}`, zh: `首次启动在 ${time} 后失败` },
  };
  const waiting = waitsFor === undefined ? state : 'waiting';
  const description = inLanguage(words[interrupted ? 'interrupted' : waiting]);
  return `${plainLine(product)} ${plainLine(release)}: ${description}`;
}

/** Renders the rows below the table. Stored text is stripped of control characters. */
function foot(shown: Shown, brevity: Brevity): Row[] {
  const { line, progress } = shown.status;
  const rows: Row[] = [
    ...(line ? [{ text: plainLine(line, 1000) }] : []),
    ...(progress ? [{ text: progressRow(progress, Number.POSITIVE_INFINITY) }] : []),
    ...warningRows(shown.status, brevity),
    ...errorLines(shown).map(
      (text, index): Row => (index === 0 ? { text, colour: 'red' } : { text }),
    ),
    ...whatNext(shown),
  ];
  return rows.length > 0 ? [{ text: '' }, ...rows] : [];
}

function warningRows({ warnings }: Status, brevity: Brevity): Row[] {
  if (!brevity.includes('warnings') || warnings.length === 0) {
    return warnings.map(({ text }) => ({
      text: plainLine(`${inLanguage({ en: 'warning', zh: '警告' })}: ${text}`, 1000),
      colour: 'yellow',
    }));
  }
  const { length } = warnings;
  const count = { en: length === 1 ? '1 warning' : `${length} warnings`, zh: `${length} 条警告` };
  return [{ text: `${inLanguage(count)}: landfall status`, colour: 'yellow' }];
}

/** Returns the retry advice for an interrupted run. The error lines of a failed run contain theirs. */
function whatNext({ interrupted, installed }: Shown): Row[] {
  if (!interrupted) return [];
  const text = installed
    ? { en: `to continue, run: ${runAgain}`, zh: `要继续，请运行：${runAgain}` }
    : { en: 'it continues automatically', zh: '会自动继续' };
  return [{ text: inLanguage(text) }];
}
