import { readdir, readlink, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { decodeNewerRelease } from '#contract/bundle/decode-release.ts';
import { type Architecture, localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { currentRelease, releasesFolder } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { formatDuration } from '#contract/text/amount.ts';
import type { Text } from '#contract/text/language.ts';
import { alertOf } from '../../server/alerts/announce.ts';
import { deliverAlerts, queueAlerts } from '../../server/alerts/queue.ts';
import { existingVolume, runOnVolume } from '../../server/chats/sandbox.ts';
import type { Condition } from '../../server/conditions/condition.ts';
import type { Host } from '../../server/host/host.ts';
import type { Transaction } from '../../server/records/transaction.ts';
import {
  addToHistory,
  type EndedUpdate,
  keptAfter,
  readHistory,
  transactionCondition,
} from '../transactions/history.ts';
import { changes, kinds } from '../transactions/kinds.ts';
import { savedFolder } from '../transactions/saved-files.ts';
import { keepRefusedSite } from '../transactions/stored-sites.ts';
import { readManifest } from '../update/download/release-folder.ts';
import { sayUndone } from './confirmation.ts';

/**
 * Ends an update: adds it to the history, sends an alert if it was rolled back or the timer started it,
 * and removes what no release needs any more. Kept are the current release and the one before it, with
 * the copy of its data. Without a way back, the earlier release stays only until the driver, which is
 * its program, has ended: see {@link removePrevious}. A stuck update has not ended: it only sends an alert.
 * Idempotent.
 */
export async function endUpdate(
  host: Host,
  site: Site,
  arch: Architecture,
  open: Transaction,
): Promise<void> {
  if (open.state === 'stuck') return await sendAlert(host, site, transactionCondition(open));
  const ended = await addToHistory(host, endedUpdate(open));
  if (open.state === 'rolled-back' && changes('site', open)) await keepRefusedSite(host, open);
  await sayUndone(host, open);
  if (ended.reason || open.unattended) await alertOfEnd(host, site, ended);
  const current = ended.outcome === 'committed' ? ended.to : ended.from;
  const { releases, copies } = keptAfter(await readHistory(host), current);
  const nameOf = (version: string) => `${version}-${arch}`;
  await removeImages(host, releases.map(nameOf));
  await removeReleases(host, [...releases, open.from].map(nameOf));
  await keepRestored(host, arch, open, copies);
  for (const volume of ['ui-data', 'engine-data']) await removeCopies(host, volume, copies);
  await removeSaved(host, copies);
}

/** A copy that was swapped in without success stays a copy, if it is one of those that are kept. */
async function keepRestored(
  host: Host,
  arch: Architecture,
  { id, from, restoreFrom, state }: Transaction,
  kept: readonly string[],
): Promise<void> {
  if (state !== 'rolled-back' || restoreFrom === null || !kept.includes(restoreFrom)) return;
  const folder = await existingVolume(host, 'ui-data');
  const release = host.path(releasesFolder, `${from}-${arch}`);
  if (folder) await runOnVolume(host, release, 'give-back', folder, `${id}:${restoreFrom}`);
}

/** Removes the earlier release after an update that keeps no way back. */
export async function removePrevious(host: Host, arch: Architecture): Promise<void> {
  const last = (await readHistory(host)).at(-1);
  if (last?.outcome !== 'committed' || last.keepsPrevious || last.from === last.to) return;
  const name = `${last.from}-${arch}`;
  if (name === (await currentName(host))) return;
  await rm(host.path(releasesFolder, name), { recursive: true, force: true });
}

function endedUpdate(open: Transaction): EndedUpdate {
  const { id, kind, from, to, manifest, state, began, plan, reason, closedAt } = open;
  const now = Date.now();
  return {
    ...{ at: new Date(now).toISOString(), id, kind, from, to, manifest },
    outcome: state === 'committed' ? 'committed' : 'rolled-back',
    took: timeSince(began, now),
    closed: closedAt === null ? null : timeSince(closedAt, now),
    keepsPrevious: plan?.keepsPrevious !== false,
    reason,
  };
}

/** Returns the milliseconds since a time; 0 if the clock was set back since. */
function timeSince(time: string, now: number): number {
  return Math.max(0, now - Date.parse(time));
}

/** Removes what an interrupted preparation of a restore has left. No update may be open. */
export async function removeLeftovers(host: Host, current: string): Promise<void> {
  const { copies } = keptAfter(await readHistory(host), current);
  await removeCopies(host, 'ui-data', copies);
  await removeSaved(host, copies);
}

async function alertOfEnd(host: Host, site: Site, ended: EndedUpdate): Promise<void> {
  const isInstalled = ended.outcome === 'committed';
  const what = isInstalled ? describeInstalled(ended) : describeFailed(ended);
  const command = `sudo landfall update ${isInstalled ? 'history' : 'status'}`;
  await sendAlert(host, site, { topic: 'update', severity: 'attention', what, command });
}

async function sendAlert(host: Host, site: Site, condition: Condition): Promise<void> {
  await queueAlerts(host, site, [alertOf(condition, site.language)]);
  await deliverAlerts(host, site);
}

function describeInstalled({ to, closed, reason }: EndedUpdate): Text {
  if (reason) {
    const why = reason.message.slice(0, 120);
    return {
      en: `release ${to} failed, but stays: it has changed the chats, and there is no copy: ${why}`,
      zh: `新版本 ${to} 未通过检查，但只能保留：它已改动对话数据，且没有副本：${why}`,
    };
  }
  if (closed === null) {
    return {
      en: `release ${to} was installed; the chat stayed open`,
      zh: `已安装新版本 ${to}，对话没有中断`,
    };
  }
  const time = formatDuration(closed);
  return {
    en: `release ${to} was installed; the chat was closed for ${time}`,
    zh: `已安装新版本 ${to}，对话中断 ${time}`,
  };
}

function describeFailed(ended: EndedUpdate): Text {
  const why = (ended.reason?.message ?? '').slice(0, 120);
  const { en, zh } = kinds[ended.kind].failed(ended);
  return { en: `${en}: ${why}`, zh: `${zh}：${why}` };
}

/** Removes images of the stack that are in none of these releases; none if one of them is damaged. */
async function removeImages(host: Host, releases: readonly string[]): Promise<void> {
  const found = await Promise.all(releases.map((name) => imagesOf(host, name)));
  if (found.some((images) => images === undefined)) return;
  const kept = new Set(found.flatMap((images) => images ?? []));
  const format = '{{.Repository}}:{{.Tag}}';
  const { stdout } = await host.run('docker', ['image', 'ls', '--format', format]);
  const ours = stdout.split('\n').filter((name) => name.startsWith('landfall.local/'));
  for (const name of ours.filter((each) => !kept.has(each))) {
    // Docker refuses to remove the image of a container.
    await host.run('docker', ['image', 'rm', name], { accept: [1] });
  }
}

async function imagesOf(host: Host, name: string): Promise<string[] | undefined> {
  const bytes = await readManifest(host, `${releasesFolder}/${name}`);
  try {
    return bytes && decodeNewerRelease(bytes).release.images.map(localImage);
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}

async function removeReleases(host: Host, kept: readonly string[]): Promise<void> {
  const current = await currentName(host);
  for (const name of await host.namesIn(releasesFolder)) {
    if (kept.includes(name) || name === current) continue;
    await rm(host.path(releasesFolder, name), { recursive: true, force: true });
  }
}

/** Removes copies of a volume, and the data of failed releases and restores. */
async function removeCopies(host: Host, volume: string, kept: readonly string[]): Promise<void> {
  const folder = await existingVolume(host, volume);
  if (!folder) return;
  for (const name of await readdir(folder)) {
    const isOurs = /^(?:_data|manifests)\.(?:copy-|failed-|restore$)/.test(name);
    const isKept = kept.some((id) => name.includes(`.copy-${id}`));
    if (isOurs && !isKept) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function removeSaved(host: Host, kept: readonly string[]): Promise<void> {
  const [parent = ''] = savedFolder('').split(/\/$/);
  const isId = (name: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name);
  for (const name of (await host.namesIn(parent)).filter(isId)) {
    if (kept.includes(name)) continue;
    await rm(host.path(savedFolder(name)), { recursive: true, force: true });
  }
}

/** Returns the folder name of the current release. */
export async function currentName(host: Host): Promise<string | undefined> {
  return await readlink(host.path(currentRelease)).then(basename, () => undefined);
}
