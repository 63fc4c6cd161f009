import { z } from 'zod';
import { mustWait } from '#contract/clock.ts';
import { LandfallError } from '#contract/errors.ts';
import { alertsFile } from '#contract/server-paths.ts';
import { type AlertTarget, alertName } from '#contract/site/alerts/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { mapOf } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { serverName } from '../host/server.ts';
import { StateFile } from '../host/state-file.ts';
import { type Alert, alertSchema, type Readers, renderMessage } from './message.ts';
import { missingSecret } from './secrets.ts';
import { sendMessage } from './send.ts';

/** Subjects per target; further ones are dropped. */
const maxUnsent = 64;
/** Interval of attempts after a rejected message, in milliseconds. */
const rejectedDelay = 6 * 3600 * 1000;
/** The longest wait that a receiver may ask for. Milliseconds. */
const maxDelay = 24 * 3600 * 1000;

const entrySchema = z.object({
  unsent: z.array(alertSchema).max(maxUnsent),
  /** The last failure, until a message arrives. */
  failure: z.object({ at: z.iso.datetime(), code: z.string(), message: z.string() }).optional(),
  /** No attempt before this time. */
  notBefore: z.iso.datetime().optional(),
});
const queueSchema = z.record(z.string(), entrySchema);
type TargetQueue = z.infer<typeof entrySchema>;
const storedQueue = new StateFile(alertsFile, queueSchema, { initial: {} });

/** Messages that did not arrive yet, by target. */
type Queue = ReadonlyMap<string, TargetQueue>;

/** Returns the queue; empty if it is missing or damaged. */
export async function readQueue(host: Host): Promise<Queue> {
  return mapOf(await storedQueue.read(host));
}

/**
 * Adds alerts for every target of the site. A newer alert replaces an unsent one with the same
 * subject. Targets that are no longer in the site are removed.
 */
export async function queueAlerts(
  host: Host,
  { alerts: targets }: Pick<Site, 'alerts'>,
  alerts: readonly Alert[],
): Promise<void> {
  const before = await readQueue(host);
  const after = targets.map((target) => {
    const entry = before.get(alertName(target)) ?? { unsent: [] };
    return [alertName(target), { ...entry, unsent: merge(entry.unsent, alerts) }] as const;
  });
  await writeQueue(host, new Map(after));
}

/** Sends unsent alerts, one message per target. Failed messages stay in the queue. */
export async function deliverAlerts(
  host: Host,
  site: Pick<Site, 'alerts' | 'route'> & Readers,
  now = new Date(),
): Promise<void> {
  const server = await serverName(host);
  for (const target of site.alerts) {
    const entry = (await readQueue(host)).get(alertName(target));
    if (entry === undefined || entry.unsent.length === 0) continue;
    const notBefore = Date.parse(entry.notBefore ?? '');
    if (mustWait(notBefore, maxDelay, now.getTime())) continue;
    if ((await missingSecret(host, target)) !== undefined) continue;
    try {
      await sendMessage(host, site, target, renderMessage(server, entry.unsent, site));
      await writeEntry(host, target, { unsent: [] });
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      await writeEntry(host, target, { ...entry, ...failureOf(error, now) });
    }
  }
}

/** Forgets the last failure of a target, after a message arrived. */
export async function forgetFailure(host: Host, target: AlertTarget): Promise<void> {
  const entry = (await readQueue(host)).get(alertName(target));
  if (entry !== undefined) await writeEntry(host, target, { unsent: entry.unsent });
}

function merge(before: readonly Alert[], added: readonly Alert[]): Alert[] {
  const subjects = new Set(added.map(({ subject }) => subject));
  return [...before.filter(({ subject }) => !subjects.has(subject)), ...added].slice(-maxUnsent);
}

function failureOf(error: LandfallError, now: Date): Pick<TargetQueue, 'failure' | 'notBefore'> {
  const wait = error instanceof TransferError ? error.retryAfterMs : undefined;
  const delay = Math.min(wait ?? (error.retriable ? 0 : rejectedDelay), maxDelay);
  return {
    failure: { at: now.toISOString(), code: error.code, message: plainLine(error.message, 300) },
    notBefore: new Date(now.getTime() + delay).toISOString(),
  };
}

async function writeEntry(host: Host, target: AlertTarget, entry: TargetQueue): Promise<void> {
  await writeQueue(host, new Map([...(await readQueue(host)), [alertName(target), entry]]));
}

async function writeQueue(host: Host, queue: Queue): Promise<void> {
  await storedQueue.write(host, Object.fromEntries(queue));
}
