import { type Access, accessLink, tunnelAddress } from '#contract/site/network/access.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { install, isActive, isPresent, missing, type Service } from '../host/service.ts';
import {
  disconnect,
  endpointOf,
  interfaceService,
  renderPeer,
  wireguardFile,
  wireguardMtu,
  wireguardUnit,
} from '../host/wireguard/interface.ts';
import { publicKeyOf } from '../host/wireguard/key.ts';
import { type AllowedDevice, allowedDevices, ensureKey, readKey } from './devices.ts';

type TunnelSite = Pick<Site, 'access'>;

const unit = wireguardUnit(accessLink);

/** The interface of the server. */
function tunnelService(access: Access, key: string, devices: readonly AllowedDevice[]): Service {
  const peers = devices.map(({ name, address, publicKey }) => {
    return { name, publicKey, allowed: `${address}/32` };
  });
  const settings = { address: tunnelAddress(access), key, port: access.port, peers };
  return {
    ...interfaceService(accessLink, '30-landfall-access.conf', settings),
    summary: { en: 'set up WireGuard for the devices', zh: '为设备设置 WireGuard' },
  };
}

const anyTunnel = interfaceService(accessLink, '30-landfall-access.conf', {
  ...{ address: '', key: '', peers: [] },
});

/** Returns what {@link prepareTunnel} or {@link removeTunnel} would do, one line per action. */
export async function missingOfTunnel(host: Host, { access }: TunnelSite): Promise<string[]> {
  if (access) {
    const key = (await readKey(host)) ?? '';
    return await missing(host, tunnelService(access, key, await allowedDevices(host, access)));
  }
  if (!(await isPresent(host, anyTunnel))) return [];
  return [inLanguage({ en: 'remove WireGuard of the devices', zh: '移除设备用的 WireGuard' })];
}

/**
 * Starts WireGuard with the devices of the site and of `landfall access add`, before the gateway binds to its
 * address. Connections of devices that stay continue.
 */
export async function prepareTunnel(
  host: Host,
  { access }: TunnelSite,
  report?: { say(line: string): void },
): Promise<void> {
  if (!access) return;
  const before = await readText(host, wireguardFile(accessLink));
  const key = await ensureKey(host);
  await install(host, tunnelService(access, key, await allowedDevices(host, access)), report);
  // A reload would keep an earlier address.
  const isMoved = before !== undefined && !before.includes(`\nAddress = ${tunnelAddress(access)}/`);
  if (isMoved) await host.run('systemctl', ['restart', unit]);
}

/** Stops WireGuard of a site without a tunnel. The keys stay, so that the devices work if it comes back. */
export async function removeTunnel(host: Host, { access }: TunnelSite): Promise<void> {
  if (access || !(await isPresent(host, anyTunnel))) return;
  await disconnect(host, accessLink, anyTunnel);
}

/** Returns whether WireGuard runs. */
export async function isTunnelUp(host: Host): Promise<boolean> {
  return await isActive(host, unit);
}

/**
 * Renders the configuration of a device for its WireGuard program: it reaches the gateway in the tunnel,
 * and everything else as before.
 * @param device its private key and its address
 * @param server the private key of the server, and the host at which the device reaches it
 */
export function renderDevice(
  access: Access,
  device: { readonly key: string; readonly address: string },
  server: { readonly key: string; readonly host: string },
): string {
  return [
    '[Interface]',
    `PrivateKey = ${device.key}`,
    `Address = ${device.address}/32`,
    `MTU = ${wireguardMtu}`,
    '',
    ...renderPeer({
      publicKey: publicKeyOf(server.key),
      allowed: `${tunnelAddress(access)}/32`,
      endpoint: endpointOf({ host: server.host, port: access.port }),
    }),
    '',
  ].join('\n');
}
