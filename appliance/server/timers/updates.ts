import { commandFile, installedMark } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { updateMode, windowOf } from '#contract/site/updates.ts';
import { sandbox } from '../host/sandbox.ts';
import { scheduledUnit } from '../host/scheduled-unit.ts';
import { type Service, unitFileOf } from '../host/service.ts';

const timer = 'landfall-update.timer';
const service = 'landfall-update-check.service';

/** Servers differ in the minute, so that they do not read a mirror at the same time. */
const timerText = `[Unit]
Description=Landfall check for updates, daily

[Timer]
Unit=${service}
OnCalendar=daily
RandomizedDelaySec=24h
FixedRandomDelay=true
Persistent=true

[Install]
WantedBy=timers.target
`;

/** V8 needs executable memory, so MemoryDenyWriteExecute is not set. */
const serviceText = `[Unit]
Description=Landfall check for updates
Documentation=man:systemd.timer(5)
Wants=network-online.target
After=network-online.target
ConditionPathExists=/${installedMark}

[Service]
Type=oneshot
ExecStart=/${commandFile} update check --scheduled
TimeoutStartSec=10min
Nice=10
CapabilityBoundingSet=CAP_CHOWN CAP_FOWNER CAP_DAC_OVERRIDE
RuntimeDirectory=landfall
RuntimeDirectoryPreserve=yes
ReadWritePaths=/var/lib/landfall /etc/landfall
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictSUIDSGID=yes
${sandbox.join('\n')}
MemoryMax=512M
TasksMax=64
`;

/** Returns the timer that checks for updates; it must not exist for a site that checks none. */
export function updateTimer(site: Pick<Site, 'updates'>): Service {
  return {
    files: [
      { path: unitFileOf(service), text: serviceText },
      { path: unitFileOf(timer), text: timerText },
    ],
    units: [{ name: timer, restart: 'always' }],
    summary: { en: 'check for updates daily', zh: '每天检查更新' },
    ...(updateMode(site) === 'off'
      ? { unwanted: { en: 'stop checking for updates', zh: '停止检查更新' } }
      : {}),
  };
}

const installTimer = 'landfall-update-install.timer';
const installService = 'landfall-update-install.service';

/** A slow download must not delay the next night. */
const installServiceText = scheduledUnit(
  'Landfall installation of updates',
  'update install --scheduled',
);

/** A server that was off at the start of the window begins when it is up. */
function installTimerText(site: Pick<Site, 'updates' | 'timezone'>): string {
  const [start] = windowOf(site).texts;
  const zone = site.timezone === undefined ? '' : ` ${site.timezone}`;
  return `[Unit]
Description=Landfall installation of updates, at the start of their window

[Timer]
OnCalendar=*-*-* ${start}:00${zone}
RandomizedDelaySec=10min
FixedRandomDelay=true
Persistent=true

[Install]
WantedBy=timers.target
`;
}

/** Returns the timer that installs updates; it must not exist for a site that only announces them. */
export function unattendedTimer(site: Pick<Site, 'updates' | 'timezone'>): Service {
  const [start, end] = windowOf(site).texts;
  return {
    files: [
      { path: unitFileOf(installService), text: installServiceText },
      { path: unitFileOf(installTimer), text: installTimerText(site) },
    ],
    units: [{ name: installTimer, restart: 'always' }],
    summary: {
      en: `install updates between ${start} and ${end}`,
      zh: `在 ${start} 到 ${end} 之间安装更新`,
    },
    ...(updateMode(site) === 'install'
      ? {}
      : { unwanted: { en: 'stop installing updates', zh: '停止安装更新' } }),
  };
}
