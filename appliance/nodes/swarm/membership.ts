import { z } from 'zod';
import { swarmFolder } from '#contract/server-paths.ts';
import { wireguardKey } from '#contract/site/network/access.ts';
import { makeFolder, readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { throughPipes } from '../../server/host/run/pipes.ts';
import { install } from '../../server/host/service.ts';
import { StateFile } from '../../server/host/state-file.ts';
import { endpointOf, wireguardUnit } from '../../server/host/wireguard/interface.ts';
import { memberName, nodeAddress } from './members.ts';
import { keyFile, swarmLink } from './network.ts';
import type { NodeToken } from './token.ts';
import { disconnect, handshakes, nodeInterface } from './wireguard.ts';

const port = z.int().min(1).max(65535);

const membershipSchema = z.strictObject({
  name: z.string().regex(memberName),
  /** On the interface of WireGuard. */
  address: nodeAddress,
  peer: z.string().regex(wireguardKey),
  host: z.string().max(253),
  port,
});

/** The Swarm that this engine node belongs to. Its key is in a file of its own. */
type Membership = z.infer<typeof membershipSchema>;

/** The membership of an engine node; none before it has joined. */
export const storedMembership = new StateFile(`${swarmFolder}/node.json`, membershipSchema, {
  mode: 0o600,
  hint: {
    en: 'Run `sudo landfall node leave`, and join again with a new token.',
    zh: '运行 `sudo landfall node leave`，再用新令牌重新加入。',
  },
});

/** Returns whether this server is a node of a Swarm, also with a damaged membership. */
export async function hasJoined(host: Host): Promise<boolean> {
  return (await readText(host, storedMembership.path)) !== undefined;
}

/** Stores the membership of a token, with its key. */
export async function writeMembership(
  host: Host,
  { name, address, peer, host: first, port: at, key }: NodeToken,
): Promise<void> {
  await makeFolder(host, swarmFolder, { mode: 0o700 });
  await writeText(host, keyFile, `${key}\n`, { mode: 0o600 });
  await storedMembership.write(host, { name, address, peer, host: first, port: at });
}

/** Connects to the first server, also with other keys than before. */
export async function connect(host: Host, membership: Membership): Promise<void> {
  const key = (await readText(host, keyFile))?.trim() ?? '';
  await install(host, nodeInterface({ ...membership, key }));
  // A reload would keep an earlier address.
  await host.run('systemctl', ['restart', wireguardUnit(swarmLink)]);
}

/** Seconds until WireGuard ends a session (REJECT_AFTER_TIME); it makes a new one every two minutes. */
const quietFor = 180;

/**
 * Looks up the name of the first server again if it has not answered for three minutes: its address may have
 * changed, and WireGuard looks once.
 */
export async function findFirstAgain(host: Host): Promise<void> {
  const membership = await storedMembership.read(host);
  if (!membership) return;
  const at = (await handshakes(host)).get(membership.peer) ?? 0;
  // A time in the future is from a clock that was ahead.
  if (Math.abs(Date.now() / 1000 - at) < quietFor) return;
  const words = ['peer', membership.peer, 'endpoint', endpointOf(membership)];
  // Fails while the name does not resolve.
  await host.run(...throughPipes('wg', ['set', swarmLink, ...words]), { accept: [1] });
}

/** Removes the connection, its keys and the membership. */
export async function forgetMembership(host: Host): Promise<void> {
  await disconnect(host);
  await removeFile(host, keyFile);
  await storedMembership.remove(host);
}
