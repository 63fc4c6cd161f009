import { formatAmount, formatPercentage, fraction } from '#contract/text/amount.ts';
import type { Text } from '#contract/text/language.ts';
import { currentStage, type StageStatus, type Status } from '../status.ts';
import { script, style } from './assets.ts';
import type { ExpectedTimes } from './expected-times.ts';
import { remainingTime } from './remaining-time.ts';
import {
  advice,
  chineseUnits,
  describeElapsed,
  describeMinutes,
  describeTime,
  endedAfter,
  headings,
  openAt,
  overall,
  ownerHint,
  productName,
  stageTexts,
  stateTexts,
  waitsForOwner,
} from './texts.ts';

/** Milliseconds. */
const minute = 60_000;

/** Refresh interval of a browser without JavaScript. Seconds. */
const refreshSeconds = { running: 5, done: 5, failed: 30 } as const;

/**
 * Renders the public progress page. It contains only fixed texts and numbers: titles, lines, warnings
 * and errors of the status may contain users, versions and addresses.
 * @param now milliseconds since 1970
 * @param url shown when the setup is complete
 */
export function renderPage(
  status: Status,
  expected: ExpectedTimes,
  now: number,
  url?: string,
): string {
  const { state, stages } = status;
  const over = stages.filter((stage) => stage.state === 'applied' || stage.state === 'kept').length;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<noscript><meta http-equiv="refresh" content="${refreshSeconds[state]}"></noscript>
<title>${formatPercentage({ done: over, total: stages.length })} ${headings[state].en} – ${productName}</title>
<style>${style}</style>
<main class="landfall">
<p class="name">${productName}</p>
<h1 class="${state}">${headings[state].en}${chinese(headings[state])}</h1>
<progress class="${state}" aria-label="${label(overall)}" value="${over}" max="${stages.length}"></progress>
<p role="status">${current(status)}</p>
<p>${both(timeOf(status, expected, now))}</p>
<ol>
${stages.map((stage) => item(stage, status)).join('\n')}
</ol>
<p>${state === 'done' && url ? openLink(url) : both(advice[state])}</p>
<p>${both(ownerHint)}<code>landfall status --watch</code></p>
</main>
<script>${script}</script>
</html>
`;
}

/** Returns the elapsed time, and an estimate of the rest while the setup is running. */
function timeOf(status: Status, expected: ExpectedTimes, now: number): Text {
  const { state, started, updated } = status;
  const end = state === 'running' ? now : Date.parse(updated);
  const elapsed = describeMinutes(Math.floor((end - Date.parse(started)) / minute));
  if (state !== 'running') return endedAfter[state](elapsed);
  if (status.waitsFor !== undefined) return describeElapsed(elapsed);
  const left = Math.round(remainingTime(status, expected, now) / minute);
  return describeTime(elapsed, describeMinutes(left));
}

/** Returns the status line, which screen readers announce. */
function current(status: Status): string {
  if (status.waitsFor !== undefined) return both(waitsForOwner);
  const { stage, position } = currentStage(status) ?? {};
  if (!stage) return both(stateTexts[status.state === 'done' ? 'applied' : 'waiting']);
  const at = `${position}/${status.stages.length}`;
  const { en, zh } = stageTexts[stage.name];
  return both({ en: `${at}: ${en}`, zh: `${at}：${zh}` });
}

function item(stage: StageStatus, { progress }: Status): string {
  const { name, state } = stage;
  const bar = state === 'running' ? barOf(stageTexts[name], progress) : '';
  const step = state === 'running' ? ' aria-current="step"' : '';
  return `<li class="${state}"${step}><b>${both(stageTexts[name])}</b><span>${both(stateTexts[state])}</span>${bar}</li>`;
}

/** Returns the progress bar, indeterminate without an amount. */
function barOf(title: Text, progress: Status['progress']): string {
  const open = `<progress aria-label="${label(title)}"`;
  if (!progress) return `${open}></progress>`;
  const { done, total, unit } = progress;
  const en = formatAmount(progress);
  const amount = unit === 'bytes' ? en : both({ en, zh: `${done}/${total} ${chineseUnits[unit]}` });
  return `${open} value="${fraction({ done, total }).toFixed(3)}" max="1"></progress><p>${amount}</p>`;
}

function openLink(url: string): string {
  return `${both(openAt)} <a href="${url}">${url}</a>`;
}

function both(text: Text): string {
  return `${text.en}<small lang="zh-Hans">${text.zh}</small>`;
}

function chinese({ zh }: Text): string {
  return `<span lang="zh-Hans">${zh}</span>`;
}

function label({ en, zh }: Text): string {
  return `${en} ${zh}`;
}
