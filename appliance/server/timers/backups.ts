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

const testTimer = 'landfall-backup-test.timer';
const testService = 'landfall-backup-test.service';

const testServiceText = scheduledUnit('Landfall restore test', 'backup test --scheduled');

/** Two hours after the backup begins, on the first of each month. */
function testTimerText({ backup, timezone }: Pick<Site, 'backup' | 'timezone'>): string {
  const [hour = '3', minute = '10'] = (backup?.at ?? '03:10').split(':');
  const later = `${(Number(hour) + 2) % 24}`.padStart(2, '0');
  const zone = timezone === undefined ? '' : ` ${timezone}`;
  return `[Unit]
Description=Landfall restore test of the backups, monthly

[Timer]
OnCalendar=*-*-01 ${later}:${minute}:00${zone}
Persistent=true

[Install]
WantedBy=timers.target
`;
}

/** Returns the timers of daily backups and monthly restore tests. A site without backups must not have them. */
export function backupTimers(site: Pick<Site, 'backup' | 'timezone'>): Service {
  return {
    files: [
      { path: unitFileOf(service), text: serviceText },
      { path: unitFileOf(timer), text: timerText(site) },
      { path: unitFileOf(testService), text: testServiceText },
      { path: unitFileOf(testTimer), text: testTimerText(site) },
    ],
    units: [
      { name: timer, restart: 'always' },
      { name: testTimer, restart: 'always' },
    ],
    summary: {
      en: `make a backup daily at ${site.backup?.at}, and test a restore monthly`,
      zh: `每天 ${site.backup?.at} 备份，每月测试一次恢复`,
    },
    ...(site.backup ? {} : { unwanted: { en: 'stop making backups', zh: '停止备份' } }),
  };
}
