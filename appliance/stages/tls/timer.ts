import { commandFile } from '#contract/server-paths.ts';
import type { Host } from '../../server/host/host.ts';
import { isInPlace, type Service, unitFileOf } from '../../server/host/service.ts';

const timer = 'landfall-tls.timer';
const service = 'landfall-tls.service';

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

/** Returns the timer with a rhythm. */
export function certificateTimer(rhythm: Rhythm) {
  return {
    files: [
      { path: unitFileOf(service), text: serviceText },
      { path: unitFileOf(timer), text: timerText(rhythm) },
    ],
    units: [{ name: timer, restart: 'always' }],
  } satisfies Service;
}

/** Returns whether the timer is installed, with either rhythm. */
export async function hasTimer(host: Host): Promise<boolean> {
  for (const rhythm of ['waiting', 'renewing'] as const) {
    if (await isInPlace(host, { files: certificateTimer(rhythm).files })) return true;
  }
  return false;
}
