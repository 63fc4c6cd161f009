import type { Host } from '../host/host.ts';

/**
 * Reloads the gateway's configuration without closing connections. The signal is sent from inside of
 * the container: after `docker kill` with any signal, Docker treats the container as stopped by hand
 * and does not start it at the next boot.
 */
export async function reloadGateway(host: Host): Promise<void> {
  await host.run('docker', ['exec', 'landfall-gateway', 'kill', '-HUP', '1']);
}
