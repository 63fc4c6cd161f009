import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { accessFolder } from '#contract/server-paths.ts';
import {
  type Access,
  deviceAddress,
  deviceName,
  deviceNumbers,
  wireguardKey,
} from '#contract/site/network/access.ts';
import { inLanguage } from '#contract/text/language.ts';
import { makeFolder, readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { StateFile } from '../host/state-file.ts';
import { makeKey } from '../host/wireguard/key.ts';

/** The private key of this server for the tunnel. */
const keyFile = `${accessFolder}/key`;

const deviceSchema = z.strictObject({
  name: z.string().regex(deviceName),
  /** The last part of its address, so that the network of the site can change. */
  number: z.int().min(deviceNumbers.first).max(deviceNumbers.last),
  publicKey: z.string().regex(wireguardKey),
  added: z.iso.datetime(),
});

/** A device that `landfall access add` has made. The server does not store its private key. */
type Device = z.infer<typeof deviceSchema>;

const devicesSchema = z.strictObject({ devices: z.array(deviceSchema).max(254) });
const storedDevices = new StateFile(`${accessFolder}/devices.json`, devicesSchema, {
  initial: { devices: [] },
  mode: 0o600,
  hint: {
    en: 'Restore it from a backup, or remove it and add the devices again.',
    zh: '从备份恢复它，或删除它并重新添加设备。',
  },
});

/** A device that reaches the gateway. */
export interface AllowedDevice {
  readonly name: string;
  readonly address: string;
  readonly publicKey: string;
  /** Whether the site has it, or `landfall access add` has made it. */
  readonly source: 'site' | 'command';
}

/** Returns the devices that `landfall access add` has made. @throws LandfallError STATE_INVALID for a damaged file */
export async function readDevices(host: Host): Promise<readonly Device[]> {
  return (await storedDevices.read(host)).devices;
}

/** Stores the devices that `landfall access add` has made. */
export async function writeDevices(host: Host, devices: readonly Device[]): Promise<void> {
  await makeFolder(host, accessFolder, { mode: 0o700 });
  await storedDevices.write(host, { devices: [...devices] });
}

/**
 * Returns all devices, those of the site first. A name or key of the site stands for an added device with the
 * same one.
 */
export async function allowedDevices(host: Host, access: Access): Promise<AllowedDevice[]> {
  const peers = access.peers.map(({ name, address, public_key }): AllowedDevice => {
    return { name, address, publicKey: public_key, source: 'site' };
  });
  const taken = new Set(peers.flatMap(({ name, publicKey }) => [name, publicKey]));
  const others = (await readDevices(host)).filter(
    ({ name, publicKey }) => !taken.has(name) && !taken.has(publicKey),
  );
  return [
    ...peers,
    ...others.map(({ name, number, publicKey }): AllowedDevice => {
      return { name, address: deviceAddress(access, number), publicKey, source: 'command' };
    }),
  ];
}

/**
 * Returns the first number that no device has.
 * @throws LandfallError USAGE if all are used
 */
export function freeNumber(devices: readonly Device[]): number {
  const used = new Set(devices.map(({ number }) => number));
  for (let number: number = deviceNumbers.first; number <= deviceNumbers.last; number += 1) {
    if (!used.has(number)) return number;
  }
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: 'the tunnel has no free address for another device',
      zh: '隧道没有可供新设备使用的地址',
    }),
    {
      hint: {
        en: 'Remove one with: sudo landfall access remove <device>',
        zh: '移除一台：sudo landfall access remove <设备>',
      },
    },
  );
}

/** Returns the private key of this server for the tunnel; undefined before {@link ensureKey}. */
export async function readKey(host: Host): Promise<string | undefined> {
  const known = (await readText(host, keyFile))?.trim();
  return known !== undefined && wireguardKey.test(known) ? known : undefined;
}

/** Returns the private key of this server for the tunnel; makes it the first time. */
export async function ensureKey(host: Host): Promise<string> {
  const known = await readKey(host);
  if (known !== undefined) return known;
  const key = makeKey();
  await makeFolder(host, accessFolder, { mode: 0o700 });
  await writeText(host, keyFile, `${key}\n`, { mode: 0o600 });
  return key;
}
