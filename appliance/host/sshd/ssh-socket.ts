import { existsSync } from 'node:fs';
import type { Host } from '../host.ts';
import { type Listener, parseListener } from './listener.ts';

/** Where systemd listens for sshd, as on Ubuntu since 22.10; empty where sshd does so itself. */
export async function socketListeners(host: Host): Promise<Listener[]> {
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

const generator = 'usr/lib/systemd/system-generators/sshd-socket-generator';
const generated = 'run/systemd/generator/ssh.socket.d/addresses.conf';

/**
 * Returns where the socket will listen after the next `systemctl daemon-reload` and restart, from
 * sshd's own settings. Ubuntu 24.04 and later generate the socket's addresses from those, and
 * nothing while they are the defaults: then the addresses in the unit hold. Debian has no generator.
 * @param settings where sshd's settings say that it listens
 */
export function comingListeners(host: Host, settings: readonly Listener[]): readonly Listener[] {
  if (!existsSync(host.path(generator))) return [];
  return settings.every(isDefault) && !existsSync(host.path(generated)) ? [] : settings;
}

function isDefault({ address, port }: Listener): boolean {
  return port === 22 && (address === '0.0.0.0' || address === '::');
}
