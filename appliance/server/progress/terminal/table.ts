import { formatDuration } from '#contract/text/amount.ts';
import { headOf, hintsOf } from '#contract/text/chinese-errors.ts';
import { hintLabel } from '#contract/text/error.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { TextStyle } from '#contract/text/paint.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import { translated } from '#contract/text/translated.ts';
import { progressRow } from '#terminal/progress-row.ts';
import { retryAdvice, runAgain } from '../../stage/stage-error.ts';
import { stateWord } from '../console.ts';
import { stateTextOf, stateTexts } from '../page/texts.ts';
import type { InstalledStanding, StagesStanding, Standing } from '../state.ts';
import type { StageStatus, Status } from '../status.ts';

export interface Row {
  readonly text: string;
  readonly colour?: TextStyle;
}

/** The input of the stage table. */
export type Shown = Omit<StagesStanding, 'kind'>;

/**
 * Renders the stages of a first boot, one row each, then the current action, warnings and errors.
 * @param now milliseconds since 1970
 * @param brief whether to count ended stages, waiting stages and warnings instead
 */
export function renderTable(shown: Shown, now: number, brief = false): Row[] {
  const { status, interrupted } = shown;
  const until = status.state === 'running' && !interrupted ? now : Date.parse(status.updated);
  return [
    { text: headline(shown, until), colour: 'bold' },
    { text: '' },
    ...stageRows(shown, until, brief),
    ...foot(shown, brief),
  ];
}

function headline({ status, interrupted }: Shown, until: number): string {
  const { product, release, state, started, waitsFor } = status;
  const time = formatDuration(Math.max(0, until - Date.parse(started)));
  const words = {
    running: { en: `the first boot has been running for ${time}`, zh: `首次启动已运行 ${time}` },
    waiting:
      waitsFor === 'restore'
        ? { en: 'the first boot waits for its backup', zh: '首次启动正在等待恢复备份' }
        : { en: 'the first boot waits for its proxies', zh: '首次启动正在等待导入代理节点' },
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
function foot(shown: Shown, brief: boolean): Row[] {
  const { line, progress } = shown.status;
  const rows: Row[] = [
    ...(line ? [{ text: plainLine(translated(line), 1000) }] : []),
    ...(progress ? [{ text: progressRow(progress, Number.POSITIVE_INFINITY) }] : []),
    ...warningRows(shown.status, brief),
    ...errorLines(shown).map(
      (text, index): Row => (index === 0 ? { text, colour: 'red' } : { text }),
    ),
    ...(shown.interrupted ? [{ text: whatNext(shown) }] : []),
  ];
  return rows.length > 0 ? [{ text: '' }, ...rows] : [];
}

function warningRows({ warnings }: Status, brief: boolean): Row[] {
  if (!brief || warnings.length === 0) {
    return warnings.map(({ text }) => ({
      text: plainLine(`${inLanguage({ en: 'warning', zh: '警告' })}: ${text}`, 1000),
      colour: 'yellow',
    }));
  }
  const { length } = warnings;
  const count = { en: length === 1 ? '1 warning' : `${length} warnings`, zh: `${length} 条警告` };
  return [{ text: `${inLanguage(count)}: landfall status`, colour: 'yellow' }];
}

/** Returns how an interrupted run continues. The error lines of a failed run contain their advice. */
function whatNext({ installed }: Pick<Shown, 'installed'>): string {
  return inLanguage(
    installed
      ? { en: `to continue, run: ${runAgain}`, zh: `要继续，请运行：${runAgain}` }
      : { en: 'it continues automatically', zh: '会自动继续' },
  );
}

const colours: Readonly<Record<StageStatus['state'], TextStyle>> = {
  waiting: 'dim',
  running: 'bold',
  applied: 'green',
  kept: 'green',
  failed: 'red',
};

/** Wide enough for every state and time, so that redrawn rows stay aligned. */
const columns = [{ align: 'right', min: 2 }, {}, { min: 11 }, { align: 'right', min: 12 }] as const;

/**
 * Renders one row per stage, with its state and duration.
 * @param until end time for a running stage, in milliseconds since 1970
 */
function stageRows(
  { status: { stages }, interrupted }: Shown,
  until: number,
  brief: boolean,
): Row[] {
  const lines = alignRows(
    stages.map((stage, index) => [
      `${index + 1}`,
      stage.name,
      inLanguage(
        interrupted && stage.state === 'running'
          ? stateTexts.interrupted
          : stateTextOf(stage.name, stage.state),
      ),
      timeOf(stage, until),
    ]),
    columns,
  );
  const rows = stages.map(({ state }, index) => ({
    state,
    row: { text: lines[index] ?? '', colour: colours[state] },
  }));
  if (!brief) return rows.map(({ row }) => row);
  const count = (
    label: StageStatus['state'],
    ...states: readonly StageStatus['state'][]
  ): Row[] => {
    const { length } = rows.filter(({ state }) => states.includes(state));
    return length === 0 ? [] : [{ text: ` …  ${length} ${stateWord(label)}`, colour: 'dim' }];
  };
  return [
    ...count('applied', 'applied', 'kept'),
    ...rows.filter(({ state }) => ['running', 'failed'].includes(state)).map(({ row }) => row),
    ...count('waiting', 'waiting'),
  ];
}

function timeOf({ state, since, took }: StageStatus, until: number): string {
  if (took !== undefined) return formatDuration(took);
  if (state !== 'running' || !since) return '';
  return formatDuration(Math.max(0, until - Date.parse(since)));
}

/**
 * Returns the error of a failed run and the retry advice as plain lines; empty for other runs. Stored
 * text is stripped of control characters.
 */
export function errorLines({
  status: { error, state },
  installed,
}: Pick<StagesStanding, 'status' | 'installed'>): string[] {
  if (state !== 'failed') return [];
  if (!error) return [inLanguage(failed), retryAdvice({ retriable: true }, installed)];
  const { code, problems = [] } = error;
  const { head, below } = headOf(error);
  const { advice, hint } = hintsOf(error);
  return [
    plain(`${code}: ${head}`),
    ...(below ? [`  ${plain(below)}`] : []),
    ...problems.map((problem) => `  ${plain(translated(problem))}`),
    ...(advice ? [plain(`建议: ${advice}`)] : []),
    ...(hint ? [plain(`${inLanguage(hintLabel)}: ${hint}`)] : []),
    retryAdvice(error, installed),
  ];
}

const failed = { en: 'the first boot failed', zh: '首次启动失败' };

function plain(text: string): string {
  return plainLine(text, 1000);
}

/** Describes a standing without stages in one line. */
export function describeStanding(standing: Exclude<Standing, { kind: 'stages' }>): string {
  if (standing.kind === 'installed') return describeInstalled(standing);
  if (standing.kind === 'bootstrap') {
    return `${inLanguage({ en: 'downloading the release', zh: '正在下载版本' })}: ${standing.line}`;
  }
  return inLanguage({
    en: 'no first boot has started on this server yet',
    zh: '这台服务器还没有开始首次启动',
  });
}

function describeInstalled({ release, unfinished }: InstalledStanding): string {
  const installed = inLanguage({
    en: `release ${release} is installed here`,
    zh: `这台服务器已安装版本 ${release}`,
  });
  if (!unfinished) return installed;
  const { end, stage, code } = unfinished;
  const how =
    end === 'failed'
      ? {
          en: `failed at ${stage} (${code ?? 'no code'})`,
          zh: `在 ${stage} 失败（${code ?? '没有错误码'}）`,
        }
      : { en: `was interrupted after it started ${stage}`, zh: `在 ${stage} 开始后中断` };
  return inLanguage({
    en: `${installed}; the last first boot ${how.en}; to continue, run: ${runAgain}`,
    zh: `${installed}；上一次首次启动${how.zh}；要继续，请运行：${runAgain}`,
  });
}

/** Describes an interrupted run in one line. */
export function describeInterruption(standing: StagesStanding): string {
  const next = whatNext(standing);
  return inLanguage({
    en: `the first boot was interrupted; ${next}`,
    zh: `首次启动已中断；${next}`,
  });
}

/** Renders a standing as rows for a terminal. */
export function rowsOf(standing: Standing, now: number, brief?: boolean): Row[] {
  if (standing.kind === 'stages') return renderTable(standing, now, brief);
  return [{ text: describeStanding(standing) }];
}
