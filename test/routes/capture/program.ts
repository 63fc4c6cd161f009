import { join } from 'node:path';
import type { Opening } from '#contract/site/opening.ts';
import { Host } from '../../../appliance/server/host/host.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import { confirm, undoUnconfirmed } from '../../../appliance/server/host/undo/undo.ts';
import { capture } from '../../../appliance/stages/route/capture/names.ts';
import {
  captureState,
  confirmCapture,
  removeCapture,
} from '../../../appliance/stages/route/capture/state.ts';
import { switchCapture } from '../../../appliance/stages/route/capture/switch.ts';
import { failOver } from '../../../appliance/stages/route/client/bring-up.ts';
import { applyClient, removeClient } from '../../../appliance/stages/route/client/client.ts';
import { contextFor } from '../../appliance/context.ts';

/*
 * program.ts <root> <action> <url>
 *
 * Runs actions of the product on a server whose files are below a root folder, in the current network
 * namespace. Only apt, sshd and systemd-run have fixed answers: the archive is at the URL.
 */

const [root = '', action = '', url = '', onFailure = 'closed'] = process.argv.slice(2);
const answers: Readonly<Record<string, string>> = {
  '/usr/sbin/sshd -T': 'port 22\nlistenaddress 0.0.0.0:22\nlistenaddress [::]:22\n',
  'systemctl show --property=ActiveState,Listen': 'ActiveState=inactive\n',
  'systemctl show --property=MainPID': '0\n',
  'systemctl is-active --quiet ssh.socket': '',
  'apt-get update --print-uris': `'${url}/dists/trixie/InRelease' x 0\n`,
  'systemd-run': '',
};
const host = new Host(root, async (file, args, options) => {
  const line = [file, ...args].join(' ');
  const found = Object.keys(answers).find((start) => line.startsWith(start));
  if (found !== undefined) {
    const isSocket = found.endsWith('ssh.socket');
    return { code: isSocket ? 3 : 0, stdout: answers[found] ?? '', stderr: '' };
  }
  const PATH = `${join(root, 'bin')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
  return await runCommand(file, args, { ...options, env: { ...options?.env, PATH } });
});
const context = {
  ...contextFor(host, {
    site: { route: { mode: 'client', capture: 'host', on_failure: onFailure } },
    server: { codename: 'trixie' },
  }),
  releaseFolder: host.path('opt/landfall/current'),
};
const openings: readonly Opening[] = [443, 8443].map((port) => {
  return { protocol: 'udp', first: port, last: port };
});
const actions: Readonly<Record<string, () => Promise<unknown>>> = {
  client: () => applyClient(context),
  on: () => switchCapture(context, { openings }),
  confirm: async () => {
    await confirm(host, capture.undo);
    await confirmCapture(host);
  },
  undo: () => undoUnconfirmed(host),
  check: () => failOver(context, { failures: 3, max: 3 }),
  off: () => removeCapture(host),
  remove: () => removeClient(host),
};
await actions[action]?.();
console.log(JSON.stringify(await captureState(host)));
