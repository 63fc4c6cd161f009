import type { Host } from '../../server/host/host.ts';
import { scheduledJobs } from '../../server/host/scheduled-job.ts';
import { isInPlace } from '../../server/host/service.ts';

/** `waiting`: every two minutes, while a certificate is missing. `renewing`: twice a day. */
type Rhythm = 'waiting' | 'renewing';

const rhythms: Readonly<Record<Rhythm, readonly string[]>> = {
  waiting: ['OnActiveSec=2min', 'OnUnitInactiveSec=2min', 'AccuracySec=5s'],
  renewing: ['OnCalendar=*-*-* 03,15:00:00 UTC', 'RandomizedDelaySec=3h', 'Persistent=true'],
};

/** Returns the timer with a rhythm. */
export function certificateTimer(rhythm: Rhythm) {
  const title = 'Landfall certificate renewal';
  return scheduledJobs({
    name: 'landfall-tls',
    descriptions: [title, `${title} (${rhythm})`],
    calendar: rhythms[rhythm],
    command: 'tls renew --scheduled',
    isEarly: true,
  });
}

/** Returns whether the timer is installed, with either rhythm. */
export async function hasTimer(host: Host): Promise<boolean> {
  for (const rhythm of ['waiting', 'renewing'] as const) {
    if (await isInPlace(host, { files: certificateTimer(rhythm).files })) return true;
  }
  return false;
}
