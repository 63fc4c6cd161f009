import { accessLink, tunnelAddress } from '#contract/site/network/access.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import { type AllowedDevice, allowedDevices, readKey } from '../../server/access/devices.ts';
import { handshakes } from '../../server/host/wireguard/interface.ts';
import { publicKeyOf } from '../../server/host/wireguard/key.ts';
import type { Context } from '../../server/stage/stage.ts';
import type { JsonFlag } from '../command.ts';
import { expectAccess } from './change.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** A device as the server sees it. */
export interface ListedDevice extends AllowedDevice {
  /** Seconds since the last handshake of WireGuard. */
  readonly seen?: number;
}

/** Prints the devices. @throws LandfallError USAGE without a tunnel */
export async function listDevices(
  { host, site }: Pick<Context, 'host' | 'site'>,
  { json = false }: JsonFlag,
): Promise<void> {
  const access = expectAccess(site);
  const devices = listed(await allowedDevices(host, access), await handshakes(host, accessLink));
  const key = await readKey(host);
  const server = {
    ...{ address: tunnelAddress(access), port: access.port },
    publicKey: key === undefined ? null : publicKeyOf(key),
  };
  if (json) return console.log(JSON.stringify({ server, devices }, null, 2));
  console.log([describeDevices(devices), '', describeServer(server)].join('\n'));
}

/** What the configuration of a device has of the server. */
interface ListedServer {
  readonly address: string;
  readonly port: number;
  /** Null before WireGuard was set up. */
  readonly publicKey: string | null;
}

/** Formats what the configuration of a device needs, for those with a key of their own. */
export function describeServer({ address, port, publicKey }: ListedServer): string {
  const key = publicKey ?? say('not set up yet', '尚未设置');
  return say(
    `This server: ${address}, port ${port}/udp, public key ${key}`,
    `本服务器：${address}，端口 ${port}/udp，公钥 ${key}`,
  );
}

/** Adds when each device was seen. @param seen seconds since 1970 of the last handshake, by public key */
export function listed(
  devices: readonly AllowedDevice[],
  seen: ReadonlyMap<string, number>,
  now = Date.now(),
): ListedDevice[] {
  return devices.map((device) => {
    const at = seen.get(device.publicKey);
    return { ...device, ...(at ? { seen: Math.max(0, Math.round(now / 1000 - at)) } : {}) };
  });
}

/** Formats the devices as a table. */
export function describeDevices(devices: readonly ListedDevice[]): string {
  if (devices.length === 0) {
    return say(
      'No devices yet. To add one: sudo landfall access add phone',
      '还没有设备。添加一台：sudo landfall access add phone',
    );
  }
  const rows = devices.map(({ name, address, source, seen }) => [
    name,
    address,
    source === 'site' ? say('of the site', '来自站点') : say('added here', '在此添加'),
    seen === undefined
      ? say('never connected', '从未连接')
      : say(`connected ${formatDuration(seen * 1000)} ago`, `${formatDuration(seen * 1000)}前连接`),
  ]);
  return alignRows(rows).join('\n');
}
