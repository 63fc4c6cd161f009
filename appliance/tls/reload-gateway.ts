import type { Host } from '../host/host.ts';

/** Makes the gateway read its files again; connections that are open go on. */
export async function reloadGateway(host: Host): Promise<void> {
  await host.run('docker', ['kill', '--signal', 'HUP', 'landfall-gateway']);
}
