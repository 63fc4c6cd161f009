import { existsSync } from 'node:fs';
import type { Host } from '../host.ts';
import { sshdSettings } from './sshd.ts';

/**
 * Returns the TCP ports of SSH in ascending order: the configured ones and the current ones. They
 * differ until sshd restarts, and until then users connect to the current ports.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshPorts(host: Host): Promise<number[]> {
  const ports = (await sshListeners(host)).map(({ port }) => port);
  return [...new Set(ports)].sort((a, b) => a - b);
}

/**
 * Returns the current and the configured listeners of SSH. With socket activation, sshd's settings
 * apply to the socket after a restart.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshListeners(host: Host): Promise<SshListener[]> {
  const [held, set, now] = await Promise.all([
    socketListeners(host),
    sshdListeners(host),
    listenersNow(host),
  ]);
  const listeners = held.length > 0 ? [...held, ...comingListeners(host, set)] : set;
  const byName = new Map(
    [...listeners, ...now].map((listener) => [`${listener.address} ${listener.port}`, listener]),
  );
  return [...byName.values()];
}

/**
 * Returns the listeners on which SSH answers: those of the running sshd; without one, those of the
 * systemd socket, or else those of sshd's settings.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function answeringListeners(host: Host): Promise<SshListener[]> {
  const now = await listenersNow(host);
  if (now.length > 0) return now;
  const held = await socketListeners(host);
  return held.length > 0 ? held : await sshdListeners(host);
}

async function sshdListeners(host: Host): Promise<SshListener[]> {
  const addresses = (await sshdSettings(host)).get('listenaddress') ?? [];
  return addresses.flatMap(parseListener);
}

/**
 * Returns the sockets of the main sshd process. Sockets of its children are port forwardings of
 * users.
 */
async function listenersNow(host: Host): Promise<SshListener[]> {
  const args = ['show', '--property=MainPID', '--value', 'ssh.service'];
  const { stdout: pid } = await host.run('systemctl', args, { accept: [1] });
  if (!/^[1-9][0-9]*$/.test(pid.trim())) return [];
  const sockets = await listeningSockets(host);
  const own = sockets.split('\n').filter((line) => line.includes(`,pid=${pid.trim()},`));
  return own.flatMap((line) => parseListener(line.trim().split(/\s+/)[3] ?? ''));
}

/** Returns the output of ss; empty before the firewall stage has installed iproute2. */
async function listeningSockets(host: Host): Promise<string> {
  const args = ['--no-header', '--listening', '--tcp', '--numeric', '--processes'];
  return (await host.runIfInstalled('ss', args))?.stdout ?? '';
}

/** Returns the listeners of ssh.socket, the default since Ubuntu 22.10; empty if it is inactive. */
async function socketListeners(host: Host): Promise<SshListener[]> {
  const args = ['show', '--property=ActiveState,Listen,BindIPv6Only', 'ssh.socket'];
  const { stdout } = await host.run('systemctl', args, { accept: [1] });
  if (!/^ActiveState=active$/m.test(stdout)) return [];
  // A socket on [::] accepts IPv4 too unless BindIPv6Only is set; see systemd.socket(5).
  const both = !/^BindIPv6Only=ipv6-only$/m.test(stdout);
  const addresses = stdout.matchAll(/^(?:Listen=)?(\S+) \(Stream\)$/gm);
  return [...addresses]
    .flatMap(([, address = '']) => parseListener(address))
    .map((each) => (both && each.address === '::' ? { ...each, address: '*' } : each));
}

const generator = 'usr/lib/systemd/system-generators/sshd-socket-generator';
const generated = 'run/systemd/generator/ssh.socket.d/addresses.conf';

/**
 * Returns the listeners of the socket after the next `systemctl daemon-reload` and restart. Ubuntu
 * 24.04 and later generate them from sshd's settings, unless these are the defaults; then the
 * addresses in the unit apply. Debian has no generator.
 * @param settings listeners in sshd's settings
 */
function comingListeners(host: Host, settings: readonly SshListener[]): readonly SshListener[] {
  if (!existsSync(host.path(generator))) return [];
  return settings.every(isDefault) && !existsSync(host.path(generated)) ? [] : settings;
}

function isDefault({ address, port }: SshListener): boolean {
  return port === 22 && (address === '0.0.0.0' || address === '::');
}

/** A listening TCP socket. */
export interface SshListener {
  /** Numeric. `0.0.0.0` and `::` mean all addresses of one IP version, `*` of both. */
  readonly address: string;
  readonly port: number;
}

/** Parses `0.0.0.0:22`, `[::]:22` or `*:22`. Returns an empty list for text without a port. */
function parseListener(text: string): SshListener[] {
  const [, address = '', port = ''] = /^(.*):([0-9]+)$/.exec(text) ?? [];
  if (port === '') return [];
  return [{ address: address.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }];
}
