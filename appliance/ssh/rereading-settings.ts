import type { Host } from '../host/host.ts';
import { isActive } from '../host/systemd.ts';

const service = 'ssh.service';

/**
 * Returns the commands of systemctl that make a running sshd read its settings again. One that does
 * not run reads them when it starts.
 *
 * Where systemd holds the socket (Ubuntu since 22.10), sshd is restarted: on SIGHUP it closes the
 * socket that it was given, cannot bind the address itself, and ends (seen with OpenSSH 10.0 of
 * Debian 13). Clients that connect meanwhile wait in the socket's queue, and sessions go on.
 *
 * The restarts do not count: after five starts within ten seconds systemd starts a service no more,
 * and then closes the socket too (`StartLimitBurst` of systemd.unit(5)).
 */
export async function rereadingSettings(host: Host): Promise<string[][]> {
  const held = await isActive(host, 'ssh.socket');
  if (!held) return [['try-reload-or-restart', service]];
  return [
    ['reset-failed', service],
    ['try-restart', service],
  ];
}
