import { scheduledJobs } from '../../server/host/scheduled-job.ts';
import type { Service } from '../../server/host/service.ts';

/** The timer of route checks. */
export const routeTimer: Service = {
  ...scheduledJobs({
    name: 'landfall-route',
    descriptions: ['Landfall route check', 'Landfall route check, every 15 minutes'],
    // Servers differ in the minute, so that they do not probe a mirror at the same time.
    calendar: ['OnCalendar=*:0/15', 'RandomizedDelaySec=10min', 'FixedRandomDelay=true'],
    command: 'route test --scheduled',
    sandbox: {
      // The check reads secrets and runs apt, which changes to its own user; see systemd.exec(5).
      capabilities: 'CAP_SETUID CAP_SETGID CAP_CHOWN CAP_FOWNER CAP_DAC_OVERRIDE',
      writes: '/var/lib/landfall -/etc/landfall/route -/var/lib/apt -/var/cache/apt',
    },
  }),
  summary: { en: 'check the route every 15 minutes', zh: '每 15 分钟检查一次线路' },
};
