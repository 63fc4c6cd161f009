import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host.ts';
import { type Listener, parseListener } from './listener.ts';
import { comingListeners, socketListeners } from './ssh-socket.ts';
import { sshdSettings } from './sshd.ts';

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
 * Where SSH listens now or is set to listen. Where systemd holds the socket, what sshd is set to
 * becomes the socket's with a restart.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshListeners(host: Host): Promise<Listener[]> {
  const [held, set, now] = await Promise.all([
    socketListeners(host),
    sshdListeners(host),
    listenersNow(host),
  ]);
  const wanted = held.length > 0 ? [...held, ...comingListeners(host, set)] : set;
  const byName = new Map(
    [...wanted, ...now].map((place) => [`${place.address} ${place.port}`, place]),
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
  if (now.length > 0) return now;
  const held = await socketListeners(host);
  return held.length > 0 ? held : await sshdListeners(host);
}

/** What sshd says of its settings. */
async function sshdListeners(host: Host): Promise<Listener[]> {
  const places = (await sshdSettings(host)).get('listenaddress') ?? [];
  return places.flatMap(parseListener);
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
