import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { swarmFolder } from '#contract/server-paths.ts';
import { wireguardKey } from '#contract/site/network/access.ts';
import { makeFolder, readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';
import { makeKey } from '../../server/host/wireguard/key.ts';
import { keyFile, nodeAddresses } from './network.ts';

/** A name of a node, as in `engines.nodes`; `local` is this server. */
export const memberName = /^(?!local$)[a-z][a-z0-9-]{0,31}$/;

/** An address of a node on the interface of WireGuard. */
export const nodeAddress = z.enum(nodeAddresses as [string, ...string[]]);

const memberSchema = z.strictObject({
  name: z.string().regex(memberName),
  /** On the interface of WireGuard. */
  address: nodeAddress,
  publicKey: z.string().regex(wireguardKey),
  /** When its token ends. A node that has joined by then stays. */
  expires: z.iso.datetime(),
});

/** A server that may join, or has joined. */
export type Member = z.infer<typeof memberSchema>;

const membersSchema = z.strictObject({ members: z.array(memberSchema).max(nodeAddresses.length) });
const storedMembers = new StateFile(`${swarmFolder}/members.json`, membersSchema, {
  initial: { members: [] },
  mode: 0o600,
  hint: {
    en: 'Restore it from a backup, or remove it and let all nodes join again.',
    zh: '从备份恢复它，或删除它并让所有节点重新加入。',
  },
});

/** Returns the members. @throws LandfallError STATE_INVALID for a damaged file */
export async function readMembers(host: Host): Promise<readonly Member[]> {
  return (await storedMembers.read(host)).members;
}

/** Stores the members. */
export async function writeMembers(host: Host, members: readonly Member[]): Promise<void> {
  await makeFolder(host, swarmFolder, { mode: 0o700 });
  await storedMembers.write(host, { members: [...members] });
}

const unusedSchema = z.strictObject({ keys: z.array(z.string().regex(wireguardKey)) });
const unusedKeys = new StateFile(`${swarmFolder}/unused-keys.json`, unusedSchema, {
  initial: { keys: [] },
  mode: 0o600,
  isLine: true,
});

/**
 * Returns the public keys of tokens with which no server has connected yet. They are no field of a member,
 * because earlier releases reject unknown ones.
 */
export async function readUnusedKeys(host: Host): Promise<readonly string[]> {
  return (await unusedKeys.read(host)).keys;
}

/** Stores the public keys of unused tokens. */
export async function writeUnusedKeys(host: Host, keys: readonly string[]): Promise<void> {
  await makeFolder(host, swarmFolder, { mode: 0o700 });
  await unusedKeys.write(host, { keys: [...keys] });
}

/** Returns the private key of this server for WireGuard; makes it the first time. */
export async function ownKey(host: Host): Promise<string> {
  const known = (await readText(host, keyFile))?.trim();
  if (known !== undefined && wireguardKey.test(known)) return known;
  const key = makeKey();
  await makeFolder(host, swarmFolder, { mode: 0o700 });
  await writeText(host, keyFile, `${key}\n`, { mode: 0o600 });
  return key;
}

/**
 * Returns the first free address. A member of the same name keeps its own.
 * @throws LandfallError USAGE if all are used
 */
export function freeAddress(members: readonly Member[], name: string): string {
  const known = members.find((member) => member.name === name)?.address;
  const used = new Set(members.map(({ address }) => address));
  const free = known ?? nodeAddresses.find((address) => !used.has(address));
  if (free !== undefined) return free;
  throw new LandfallError('USAGE', `there are ${nodeAddresses.length} nodes, which is the limit`, {
    hint: {
      en: 'Remove one with: sudo landfall node remove <name>',
      zh: '移除一个：sudo landfall node remove <名称>',
    },
  });
}
