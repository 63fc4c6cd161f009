import { formatAmount, formatDuration } from '#contract/text/amount.ts';
import { currentLanguage, inLanguage, isChinese, type Language } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { titleOf } from '../stage/stage-texts.ts';
import { stateTextOf, stateTexts } from './page/texts.ts';
import type { StageStatus } from './status.ts';
import type { StatusListener } from './tracker.ts';

/** Minimum interval between progress lines in milliseconds, for slow consoles and the journal. */
export const amountPauseMs = 15_000;

/** Writes one plain line per change, for the console and the journal. */
export function consoleLines(
  write: (line: string) => void,
  language: Language = currentLanguage(),
): StatusListener {
  const announced = new Map<string, string>();
  let bar = { at: 0, text: '' };
  return ({ stages, line, progress, updated }, change) => {
    const now = Date.parse(updated);
    const isReadable = language === 'zh' || !isChinese(line ?? '');
    if (change === 'line' && line && isReadable)
      write(`          ${language === 'zh' ? translated(line) : line}`);
    if (change === 'progress' && progress && now - bar.at >= amountPauseMs) {
      const text = formatAmount(progress, language);
      if (text !== bar.text) write(`          ${text}`);
      bar = { at: now, text };
    }
    if (change !== 'stage') return;
    bar = { at: now, text: '' };
    for (const [index, stage] of stages.entries()) {
      if (stage.state === 'waiting' || announced.get(stage.name) === stage.state) continue;
      announced.set(stage.name, stage.state);
      write(
        `[${String(index + 1).padStart(2)}/${stages.length}]   ${describeStage(stage, language)}`,
      );
    }
  };
}

function describeStage(stage: StageStatus, language: Language): string {
  const { name, state, took } = stage;
  if (state === 'running') return titleOf(stage, language);
  const time = took === undefined ? '' : ` (${formatDuration(took)})`;
  return `${name}: ${inLanguage(stateTextOf(name, state), language)}${time}`;
}

/** Returns the state of a stage as users see it. */
export function stateWord(
  state: keyof typeof stateTexts,
  language: Language = currentLanguage(),
): string {
  return inLanguage(stateTexts[state], language);
}
