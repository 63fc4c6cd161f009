import { commandFile, installedMark } from '#contract/server-paths.ts';
import { isFile, readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { isActive } from '../host/systemd.ts';

const timer = 'landfall-route.timer';
const folder = 'etc/systemd/system';

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
NoNewPrivileges=yes
ProtectSystem=strict
RuntimeDirectory=landfall
RuntimeDirectoryPreserve=yes
ReadWritePaths=/var/lib/landfall -/etc/landfall/route -/var/lib/apt -/var/cache/apt
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
MemoryMax=512M
TasksMax=64
`;

const files = {
  [`${folder}/landfall-route.service`]: serviceText,
  [`${folder}/${timer}`]: timerText,
};

/** Returns whether the timer of route checks is installed and active. */
export async function hasRouteTimer(host: Host): Promise<boolean> {
  for (const [path, text] of Object.entries(files)) {
    if (!(await isFile(host, path, text))) return false;
  }
  return await isActive(host, timer);
}

/** Stops the timer of route checks and removes it. */
export async function removeRouteTimer(host: Host): Promise<void> {
  const texts = await Promise.all(Object.keys(files).map((path) => readText(host, path)));
  if (texts.every((text) => text === undefined)) return;
  await host.run('systemctl', ['disable', '--now', '--quiet', timer]);
  for (const path of Object.keys(files)) await removeFile(host, path);
  await host.run('systemctl', ['daemon-reload']);
}

/** Installs and starts the timer of route checks. Idempotent. */
export async function installRouteTimer(host: Host): Promise<void> {
  if (await hasRouteTimer(host)) return;
  for (const [path, text] of Object.entries(files)) await writeText(host, path, text);
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--quiet', timer]);
  // A running timer keeps its old schedule until it is restarted.
  await host.run('systemctl', ['restart', timer]);
}
