import type { Site } from '#contract/site/site.ts';
import { updateMode, windowOf } from '#contract/site/updates.ts';
import { scheduledJobs } from '../host/scheduled-job.ts';
import type { Service } from '../host/service.ts';

/** Returns the timer that checks for updates; it must not exist for a site that checks none. */
export function updateTimer(site: Pick<Site, 'updates'>): Service {
  return {
    ...scheduledJobs({
      name: 'landfall-update',
      service: 'landfall-update-check',
      descriptions: ['Landfall check for updates', 'Landfall check for updates, daily'],
      // Servers differ in the minute, so that they do not read a mirror at the same time.
      calendar: [
        'OnCalendar=daily',
        'RandomizedDelaySec=24h',
        'FixedRandomDelay=true',
        'Persistent=true',
      ],
      command: 'update check --scheduled',
      sandbox: {
        capabilities: 'CAP_CHOWN CAP_FOWNER CAP_DAC_OVERRIDE',
        writes: '/var/lib/landfall /etc/landfall',
      },
    }),
    summary: { en: 'check for updates daily', zh: '每天检查更新' },
    ...(updateMode(site) === 'off'
      ? { unwanted: { en: 'stop checking for updates', zh: '停止检查更新' } }
      : {}),
  };
}

/** Returns the timer that installs updates; it must not exist for a site that only announces them. */
export function unattendedTimer(site: Pick<Site, 'updates' | 'timezone'>): Service {
  const [start, end] = windowOf(site).texts;
  const title = 'Landfall installation of updates';
  const zone = site.timezone === undefined ? '' : ` ${site.timezone}`;
  return {
    ...scheduledJobs({
      name: 'landfall-update-install',
      descriptions: [title, `${title}, at the start of their window`],
      // A server that was off at the start of the window begins when it is up.
      calendar: [
        `OnCalendar=*-*-* ${start}:00${zone}`,
        'RandomizedDelaySec=10min',
        'FixedRandomDelay=true',
        'Persistent=true',
      ],
      command: 'update install --scheduled',
    }),
    summary: {
      en: `install updates between ${start} and ${end}`,
      zh: `在 ${start} 到 ${end} 之间安装更新`,
    },
    ...(updateMode(site) === 'install'
      ? {}
      : { unwanted: { en: 'stop installing updates', zh: '停止安装更新' } }),
  };
}
