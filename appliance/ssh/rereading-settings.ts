import type { Host } from '../host/host.ts';
import { isActive } from '../host/systemd.ts';

const service = 'ssh.service';

/**
 * Returns the systemctl commands that make a running sshd reload its settings.
 *
 * With socket activation (Ubuntu since 22.10), sshd is restarted: on SIGHUP it closes the inherited
 * socket, cannot bind the address, and exits (seen with OpenSSH 10.0 of Debian 13). New connections
 * wait in the queue of the socket, and existing sessions continue.
 *
 * The start counter is reset: after five starts in ten seconds, systemd stops the service and its
 * socket (`StartLimitBurst` of systemd.unit(5)).
 */
export async function rereadingSettings(host: Host): Promise<string[][]> {
  const held = await isActive(host, 'ssh.socket');
  if (!held) return [['try-reload-or-restart', service]];
  return [
    ['reset-failed', service],
    ['try-restart', service],
  ];
}
