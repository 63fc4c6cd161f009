import { commandFile, installedMark } from '#contract/server-paths.ts';
import { sandbox } from '../../server/host/sandbox.ts';
import { type Service, unitFileOf } from '../../server/host/service.ts';

const timer = 'landfall-route.timer';
const service = 'landfall-route.service';

/** Servers differ in the minute, so that they do not probe a mirror at the same time. */
const timerText = `[Unit]
Description=Landfall route check, every 15 minutes

[Timer]
OnCalendar=*:0/15
RandomizedDelaySec=10min
FixedRandomDelay=true

[Install]
WantedBy=timers.target
`;

/**
 * The check runs as root, because it reads secrets and runs apt, which changes to its own user; see
 * systemd.exec(5). V8 needs executable memory, so MemoryDenyWriteExecute is not set.
 */
const serviceText = `[Unit]
Description=Landfall route check
Documentation=man:systemd.timer(5)
Wants=network-online.target
After=network-online.target
ConditionPathExists=/${installedMark}

[Service]
Type=oneshot
ExecStart=/${commandFile} route test --scheduled
TimeoutStartSec=10min
Nice=10
CapabilityBoundingSet=CAP_SETUID CAP_SETGID CAP_CHOWN CAP_FOWNER CAP_DAC_OVERRIDE
RuntimeDirectory=landfall
RuntimeDirectoryPreserve=yes
ReadWritePaths=/var/lib/landfall -/etc/landfall/route -/var/lib/apt -/var/cache/apt
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictSUIDSGID=yes
${sandbox.join('\n')}
MemoryMax=512M
TasksMax=64
`;

/** The timer of route checks. */
export const routeTimer: Service = {
  files: [
    { path: unitFileOf(service), text: serviceText },
    { path: unitFileOf(timer), text: timerText },
  ],
  units: [{ name: timer, restart: 'always' }],
  summary: { en: 'check the route every 15 minutes', zh: '每 15 分钟检查一次线路' },
};
