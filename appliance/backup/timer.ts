import type { Site } from '#contract/site/site.ts';
import { scheduledUnit } from '../host/scheduled-unit.ts';
import { type Service, unitFileOf } from '../host/service.ts';

const timer = 'landfall-backup.timer';
const service = 'landfall-backup.service';

const serviceText = scheduledUnit('Landfall backup', 'backup run --scheduled');

/** A server that was off at that time begins when it is up. */
function timerText({ backup, timezone }: Pick<Site, 'backup' | 'timezone'>): string {
  const zone = timezone === undefined ? '' : ` ${timezone}`;
  return `[Unit]
Description=Landfall backup, daily

[Timer]
OnCalendar=*-*-* ${backup?.at ?? '03:10'}:00${zone}
Persistent=true

[Install]
WantedBy=timers.target
`;
}

/** Returns the timer of the daily backup; it must not exist for a site without backups. */
export function backupTimer(site: Pick<Site, 'backup' | 'timezone'>): Service {
  return {
    files: [
      { path: unitFileOf(service), text: serviceText },
      { path: unitFileOf(timer), text: timerText(site) },
    ],
    units: [{ name: timer, restart: 'always' }],
    summary: `make a backup daily at ${site.backup?.at}`,
    ...(site.backup ? {} : { unwanted: 'stop making backups' }),
  };
}
