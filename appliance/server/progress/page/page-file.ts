import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gatewayPageFile, pageFile } from '#contract/server-paths.ts';
import { formatAmount, formatPercentage, fraction, units } from '#contract/text/amount.ts';
import type { Text } from '#contract/text/language.ts';
import { makeFolder, removeFile, statIfPresent, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { stageTexts } from '../../stage/stage-texts.ts';
import { currentStage, type StageStatus, type Status } from '../status.ts';
import { script, style } from './assets.ts';
import type { ExpectedTimes } from './expected-times.ts';
import {
  advice,
  describeMinutes,
  describeTime,
  headings,
  openAt,
  overall,
  ownerHint,
  productName,
  stateTextOf,
  stateTexts,
  waitsForOwner,
} from './texts.ts';

/** What the page needs besides the status. */
export interface PageSettings {
  readonly expected: ExpectedTimes;
  /**
   * URL to open when the setup is complete, for a site with host names: then the gateway serves the
   * page at the address of the server. Without host names, the address leads to the chat UI.
   */
  readonly url?: string | undefined;
}

/** Writes the page atomically. */
export async function writePage(
  host: Host,
  status: Status,
  { expected, url }: PageSettings,
): Promise<void> {
  const page = renderPage(status, expected, Date.now(), url);
  await makeFolder(host, dirname(pageFile), { mode: 0o755 });
  await writeText(host, pageFile, page);
  if (url !== undefined) await giveToGateway(host, page);
}

/** Writes the page for the gateway, without a sync to the disk: it is written several times a second. */
async function giveToGateway(host: Host, page: string): Promise<void> {
  const path = host.path(gatewayPageFile);
  // The stage `stack` creates this folder.
  if (!(await statIfPresent(host, dirname(dirname(gatewayPageFile))))) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFile(`${path}.new`, page);
  await chmod(`${path}.new`, 0o644);
  await rename(`${path}.new`, path);
}

/** How long browsers that were open during the setup can learn that it is complete. Seconds. */
const keptAfterwards = 3600;

/**
 * Removes the page of the gateway after an hour, or at a shutdown. It contains the host name of the
 * site, which a server does not show to clients that only know its address.
 */
export async function expireGatewayPage(host: Host): Promise<void> {
  const isPlanned = await host.succeeds('systemd-run', [
    '--quiet',
    '--collect',
    '--unit=landfall-page-end',
    '--description=Landfall: end of the first boot progress page',
    `--property=ExecStopPost=/bin/rm -f ${host.path(gatewayPageFile)}`,
    '/bin/sleep',
    `${keptAfterwards}`,
  ]);
  if (!isPlanned) await removeFile(host, gatewayPageFile);
}

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
  const elapsed = describeMinutes(Math.max(0, Math.floor((end - Date.parse(started)) / minute)));
  if (state !== 'running' || status.waitsFor !== undefined) return describeTime(elapsed);
  const left = Math.round(remainingTime(status, expected, now) / minute);
  return describeTime(elapsed, describeMinutes(left));
}

/** Returns the status line, which screen readers announce. */
function current(status: Status): string {
  if (status.waitsFor !== undefined) return both(waitsForOwner[status.waitsFor]);
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
  return `<li class="${state}"${step}><b>${both(stageTexts[name])}</b><span>${both(stateTextOf(name, state))}</span>${bar}</li>`;
}

function barOf(title: Text, progress: Status['progress']): string {
  const open = `<progress aria-label="${label(title)}"`;
  if (!progress) return `${open}></progress>`;
  const { done, total, unit } = progress;
  const en = formatAmount(progress);
  const amount = unit === 'bytes' ? en : both({ en, zh: `${done}/${total} ${units[unit]}` });
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

/** Least time and progress of a running stage for an extrapolation. */
const least = { milliseconds: 3000, fraction: 0.03 } as const;
/** A stage that takes longer than expected may need this share of its time again. */
const overrun = 1 / 4;
/** Limits of the ratio between actual and expected time. */
const slowest = 10;
const fastest = 1 / 4;

/**
 * Estimates how long a running first boot still takes, in milliseconds. The running stage is
 * extrapolated from its progress. The duration of `images` scales the expectation of `models`, which
 * come from the same network or disk.
 * @param now milliseconds since 1970
 */
export function remainingTime(status: Status, expected: ExpectedTimes, now: number): number {
  const pace = paceOf(status, expected);
  return status.stages.reduce((sum, stage) => {
    const whole = expected[stage.name] * (stage.name === 'models' ? pace : 1);
    if (stage.state === 'waiting') return sum + whole;
    return stage.state === 'running' ? sum + restOf(stage, status, whole, now) : sum;
  }, 0);
}

function restOf({ since }: StageStatus, { progress }: Status, whole: number, now: number): number {
  const spent = since === undefined ? 0 : Math.max(0, now - Date.parse(since));
  const done = progress ? fraction(progress) : 0;
  if (spent >= least.milliseconds && done >= least.fraction) return (spent * (1 - done)) / done;
  return Math.max(whole - spent, spent * overrun);
}

function paceOf({ stages }: Status, expected: ExpectedTimes): number {
  const images = stages.find(({ name }) => name === 'images');
  // A stage that had nothing to do shows nothing about the network.
  if (images?.state !== 'applied' || !images.took || expected.images === 0) return 1;
  return Math.min(Math.max(images.took / expected.images, fastest), slowest);
}
