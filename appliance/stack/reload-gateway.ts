import type { Host } from '../host/host.ts';

/**
 * Makes the gateway read its files again; connections that are open go on. The signal is sent from
 * inside: Docker takes a signal that it sends itself, whichever it is, for a stop by hand, and would
 * not start the gateway at the next boot of the server.
 */
export async function reloadGateway(host: Host): Promise<void> {
  await host.run('docker', ['exec', 'landfall-gateway', 'kill', '-HUP', '1']);
}
