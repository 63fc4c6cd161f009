import { existsSync } from 'node:fs';
import type { Host } from '../host.ts';
import { type Listener, parseListener } from './listener.ts';

/** Returns the listeners of ssh.socket, the default since Ubuntu 22.10; empty if it is inactive. */
export async function socketListeners(host: Host): Promise<Listener[]> {
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
export function comingListeners(host: Host, settings: readonly Listener[]): readonly Listener[] {
  if (!existsSync(host.path(generator))) return [];
  return settings.every(isDefault) && !existsSync(host.path(generated)) ? [] : settings;
}

function isDefault({ address, port }: Listener): boolean {
  return port === 22 && (address === '0.0.0.0' || address === '::');
}
