import { deliverAlerts, queueAlerts } from '../alerts/queue.ts';
import { describeLowDisk, type LowDisk, lowDisks } from '../host/low-disks.ts';
import type { Context } from '../stage/stage.ts';
import { type Announcement, announcementsOf } from './announcements.ts';
import { checkUpdates } from './check-updates.ts';
import { type UpdateState, writeUpdateState } from './state.ts';

/** Announcements that are remembered. */
const maxAnnounced = 100;
/** An announced file system has recovered at this multiple of the limits, so that alerts do not repeat. */
const recovered = 1.25;

/**
 * Checks for updates and for low disk space. Sends one alert for each new release, each withdrawn
 * release that runs here, each refused change of the keys, and each file system that is low on space.
 */
export async function scheduledCheck(
  { host, site, release }: Pick<Context, 'host' | 'site' | 'release'>,
  now = new Date(),
): Promise<UpdateState> {
  const state = await checkUpdates({ host, site, release }, now);
  const stillLow = (await lowDisks(host, recovered)).map(idOf);
  const announced = state.announced.filter(
    (id) => !id.startsWith(diskPrefix) || stillLow.includes(id),
  );
  const low = (await lowDisks(host)).map((disk) => ({
    ...{ id: idOf(disk), text: describeLowDisk(disk, site.language) },
    command: 'sudo landfall doctor',
  }));
  const all = [...announcementsOf(state, site.language), ...low];
  const after = await announce({ host, site }, { ...state, announced }, all, now);
  await deliverAlerts(host, site, now);
  return after;
}

const diskPrefix = 'disk ';
const idOf = ({ folder }: LowDisk) => `${diskPrefix}${folder}`;

/**
 * Queues an alert for each announcement that was not announced yet. Alerts are queued before they are
 * recorded as announced: after a power cut in between, the queue replaces the alert.
 */
export async function announce(
  { host, site }: Pick<Context, 'host' | 'site'>,
  state: UpdateState,
  announcements: readonly Announcement[],
  now = new Date(),
): Promise<UpdateState> {
  const fresh = announcements.filter(({ id }) => !state.announced.includes(id));
  if (fresh.length > 0) {
    const at = now.toISOString();
    await queueAlerts(
      host,
      site,
      fresh.map(({ text, command = 'sudo landfall update status' }) => ({
        ...{ subject: text.slice(0, 200), state: 'notice' as const, since: at, at, command },
      })),
    );
  }
  const announced = [...state.announced, ...fresh.map(({ id }) => id)].slice(-maxAnnounced);
  const after = { ...state, announced };
  await writeUpdateState(host, after);
  return after;
}
