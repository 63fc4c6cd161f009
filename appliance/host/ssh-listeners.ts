import { LandfallError } from '#contract/errors.ts';
import type { Host } from './host.ts';
import { sshdSettings } from './sshd.ts';

/** Where somebody listens, on a TCP port. */
export interface Listener {
  /** Numeric. `0.0.0.0` and `::` are every address of a version of IP, `*` of both. */
  readonly address: string;
  readonly port: number;
}

/**
 * The TCP ports of SSH, in ascending order: those of its settings, and those where sshd listens now.
 * Until somebody restarts it, these differ, and the owner comes in over the old ones.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshPorts(host: Host): Promise<number[]> {
  const ports = (await sshListeners(host)).map(({ port }) => port);
  return [...new Set(ports)].sort((a, b) => a - b);
}

/**
 * Where SSH listens now or is set to listen.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshListeners(host: Host): Promise<Listener[]> {
  const [set, now] = await Promise.all([listenersOfSettings(host), listenersNow(host)]);
  const byName = new Map(
    [...set, ...now].map((place) => [`${place.address} ${place.port}`, place]),
  );
  return [...byName.values()];
}

/**
 * Where SSH answers, as far as anybody can tell: where sshd listens now, or what its settings say
 * while it does not run because systemd starts it for the first who comes.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function answeringListeners(host: Host): Promise<Listener[]> {
  const now = await listenersNow(host);
  return now.length > 0 ? now : await listenersOfSettings(host);
}

/** What sshd says, or systemd where that holds the socket, as on Ubuntu. */
async function listenersOfSettings(host: Host): Promise<Listener[]> {
  const held = await socketListeners(host);
  if (held.length > 0) return held;
  const places = (await sshdSettings(host)).get('listenaddress') ?? [];
  return places.flatMap(parseListener);
}

async function socketListeners(host: Host): Promise<Listener[]> {
  const args = ['show', '--property=ActiveState,Listen,BindIPv6Only', 'ssh.socket'];
  const { stdout } = await host.run('systemctl', args, { accept: [1] });
  if (!/^ActiveState=active$/m.test(stdout)) return [];
  // systemd.socket(5): a socket for every IPv6 address takes IPv4 as well unless it is told not to.
  const both = !/^BindIPv6Only=ipv6-only$/m.test(stdout);
  const places = stdout.matchAll(/^(?:Listen=)?(\S+) \(Stream\)$/gm);
  return [...places]
    .flatMap(([, place = '']) => parseListener(place))
    .map((each) => (both && each.address === '::' ? { ...each, address: '*' } : each));
}

/**
 * The sockets of the one process that waits for connections. Its children are not asked: they listen
 * for what their users forward.
 */
async function listenersNow(host: Host): Promise<Listener[]> {
  const args = ['show', '--property=MainPID', '--value', 'ssh.service'];
  const { stdout: pid } = await host.run('systemctl', args, { accept: [1] });
  if (!/^[1-9][0-9]*$/.test(pid.trim())) return [];
  const sockets = await listeningSockets(host);
  const own = sockets.split('\n').filter((line) => line.includes(`,pid=${pid.trim()},`));
  return own.flatMap((line) => parseListener(line.trim().split(/\s+/)[3] ?? ''));
}

/** Nothing where iproute2 is not there yet; the stage of the firewall installs it. */
async function listeningSockets(host: Host): Promise<string> {
  const args = ['--no-header', '--listening', '--tcp', '--numeric', '--processes'];
  try {
    return (await host.run('ss', args)).stdout;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return '';
    throw error;
  }
}

/** `0.0.0.0:22`, `[::]:22`, `*:22`. What has no port is no listener. */
function parseListener(place: string): Listener[] {
  const [, address = '', port = ''] = /^(.*):([0-9]+)$/.exec(place) ?? [];
  if (port === '') return [];
  return [{ address: address.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }];
}
