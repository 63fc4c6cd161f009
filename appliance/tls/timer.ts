import { commandFile } from '#contract/server-paths.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { isActive } from '../host/systemd.ts';

const timer = 'landfall-tls.timer';
const service = 'landfall-tls.service';
const folder = 'etc/systemd/system';

/** `waiting`: every two minutes, while a certificate is missing. `renewing`: twice a day. */
type Rhythm = 'waiting' | 'renewing';

const rhythms: Readonly<Record<Rhythm, string>> = {
  waiting: 'OnActiveSec=2min\nOnUnitInactiveSec=2min\nAccuracySec=5s',
  renewing: 'OnCalendar=*-*-* 03,15:00:00 UTC\nRandomizedDelaySec=3h\nPersistent=true',
};

function timerText(rhythm: Rhythm): string {
  return `[Unit]
Description=Landfall certificate renewal (${rhythm})

[Timer]
${rhythms[rhythm]}

[Install]
WantedBy=timers.target
`;
}

const serviceText = `[Unit]
Description=Landfall certificate renewal
Documentation=man:systemd.timer(5)
Wants=network-online.target
After=network-online.target docker.service

[Service]
Type=oneshot
ExecStart=/${commandFile} tls renew --scheduled
TimeoutStartSec=15min
Nice=10
`;

/** Installs the systemd timer with a rhythm. Idempotent. */
export async function installTimer(host: Host, rhythm: Rhythm): Promise<void> {
  if ((await hasFiles(host, rhythm)) && (await isActive(host, timer))) return;
  await writeText(host, `${folder}/${service}`, serviceText);
  await writeText(host, `${folder}/${timer}`, timerText(rhythm));
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--quiet', timer]);
  // A running timer keeps its old schedule until it is restarted.
  await host.run('systemctl', ['restart', timer]);
}

/** Returns whether the timer is installed, with either rhythm. */
export async function hasTimer(host: Host): Promise<boolean> {
  return (await hasFiles(host, 'waiting')) || (await hasFiles(host, 'renewing'));
}

async function hasFiles(host: Host, rhythm: Rhythm): Promise<boolean> {
  return (
    (await isFile(host, `${folder}/${service}`, serviceText)) &&
    (await isFile(host, `${folder}/${timer}`, timerText(rhythm)))
  );
}
