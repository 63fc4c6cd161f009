import type { Site } from '#contract/site/site.ts';
import { scheduledJobs } from '../host/scheduled-job.ts';
import type { Service } from '../host/service.ts';

/** Returns the timers of daily backups and monthly restore tests. A site without backups must not have them. */
export function backupTimers({ backup, timezone }: Pick<Site, 'backup' | 'timezone'>): Service {
  const [hour = '', minute = ''] = (backup?.at ?? '03:10').split(':');
  const zone = timezone === undefined ? '' : ` ${timezone}`;
  // A server that was off at that time begins when it is up.
  const at = (days: string, hours: string) => [
    `OnCalendar=${days} ${hours}:${minute}:00${zone}`,
    'Persistent=true',
  ];
  return {
    ...scheduledJobs(
      {
        name: 'landfall-backup',
        descriptions: ['Landfall backup', 'Landfall backup, daily'],
        calendar: at('*-*-*', hour),
        command: 'backup run --scheduled',
      },
      {
        name: 'landfall-backup-test',
        descriptions: ['Landfall restore test', 'Landfall restore test of the backups, monthly'],
        // Two hours after the backup begins, on the first of each month.
        calendar: at('*-*-01', `${(Number(hour) + 2) % 24}`.padStart(2, '0')),
        command: 'backup test --scheduled',
      },
    ),
    summary: {
      en: `make a backup daily at ${backup?.at}, and test a restore monthly`,
      zh: `每天 ${backup?.at} 备份，每月测试一次恢复`,
    },
    ...(backup ? {} : { unwanted: { en: 'stop making backups', zh: '停止备份' } }),
  };
}
