import type { Host } from '../host/host.ts';
import { isActive } from '../host/systemd.ts';

/**
 * Returns the arguments with which systemctl makes a running sshd read its settings again. One that
 * does not run reads them when it starts.
 *
 * Where systemd holds the socket (Ubuntu since 22.10), sshd is restarted: on SIGHUP it closes the
 * socket that it was given, cannot bind the address itself, and ends (seen with OpenSSH 10.0 of
 * Debian 13). Clients that connect meanwhile wait in the socket's queue, and sessions go on.
 */
export async function rereadingSettings(host: Host): Promise<string[]> {
  const held = await isActive(host, 'ssh.socket');
  return [held ? 'try-restart' : 'try-reload-or-restart', 'ssh.service'];
}
