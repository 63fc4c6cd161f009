import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Host } from '../../host/host.ts';
import { probeFromOutside } from '../../host/outside/probe.ts';
import { sshProbeTargets, unreachableSsh } from '../../host/sshd/ssh-from-outside.ts';
import { isActive } from '../../host/systemd.ts';
import type { Context } from '../../stage/stage.ts';
import { archiveFiles } from '../archives.ts';
import { clientUnit } from '../client/render-unit.ts';
import { reach } from '../reach.ts';
import { captureLink, captureMark } from './names.ts';

/** Verifies a capture. @throws LandfallError ROUTE_BLOCKED */
export type ProveCapture = (context: Context) => Promise<void>;

/** Milliseconds. The client adds its routes some milliseconds after systemd reports its start. */
const [pause, attempts] = [200, 25];
/** Documentation addresses (RFC 5737, RFC 3849), which stand for any address of the internet. */
const anywhere = { 4: '192.0.2.1', 6: '2001:db8::1' } as const;

/**
 * Verifies what the server can verify: packets to the internet enter the TUN interface and marked ones
 * do not, SSH is reachable from another network, and each package archive responds through the TUN
 * interface. Only a new login proves that the administrator has access.
 * @throws LandfallError ROUTE_BLOCKED with all problems
 */
export const proveCapture: ProveCapture = async (context) => {
  const { host } = context;
  if (!(await isCapturing(host))) throw failed([{ message: await whyNot(host) }]);
  const kept = await repliesInside(host);
  const ssh = unreachableSsh(await probeFromOutside(host, await sshProbeTargets(host)));
  const archives = await archiveFiles(context);
  const direct = { ...context.site, route: { mode: 'direct' as const } };
  const reached = await host.outside.measure(() => reach(direct, archives));
  const blocked = reached.flatMap(({ failure }) => failure ?? []);
  const problems = [...kept, ...ssh, ...blocked.map(({ message }) => ({ message }))];
  if (problems.length > 0) throw failed(problems);
};

/** Waits until packets to the internet enter the TUN interface. */
async function isCapturing(host: Host): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await host.outside.measure(() => sleep(pause));
    if ((await deviceTo(host, 4)) === captureLink) return true;
  }
  return false;
}

async function whyNot(host: Host): Promise<string> {
  const runs = await isActive(host, clientUnit('active'));
  return runs
    ? 'packets of this server do not enter the TUN interface'
    : 'the proxy client does not start with a TUN interface';
}

/** Returns a problem for each IP version whose replies would enter the TUN interface. */
async function repliesInside(host: Host): Promise<Problem[]> {
  const devices = [await deviceTo(host, 4, captureMark), await deviceTo(host, 6, captureMark)];
  return devices.includes(captureLink)
    ? [{ message: 'replies to connections from outside enter the TUN interface' }]
    : [];
}

/** Returns the interface of packets to the internet; undefined without a route. */
async function deviceTo(host: Host, version: 4 | 6, mark?: number): Promise<string | undefined> {
  const marked = mark === undefined ? [] : ['mark', `0x${mark.toString(16)}`];
  const args = [`-${version}`, 'route', 'get', anywhere[version], ...marked];
  const { stdout } = await host.run('ip', args, { accept: [1, 2] });
  return / dev (\S+)/.exec(stdout)?.[1];
}

function failed(problems: readonly Problem[]): LandfallError {
  return new LandfallError('ROUTE_BLOCKED', 'the capture of connections does not work', {
    hint: 'Check: sudo journalctl -u landfall-client@active.service. The change was undone.',
    problems,
  });
}
