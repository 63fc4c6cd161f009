import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readRegular } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import { Usage } from '../../budget/usage.ts';
import type { UsageProblem } from '../../budget/usage-event.ts';
import { networkHash } from './client-network.ts';
import { personKeyName, readStoredUsage } from './stored-usage.ts';
import { UsageFiles } from './usage-files.ts';

/** The usage of a relay on this machine. */
interface OpenUsage {
  /** Undefined when the folder cannot be used until it is repaired. */
  readonly usage: Usage | undefined;
  /** Set also for a folder that cannot be written now, such as on a full disk. */
  readonly problem: UsageProblem | undefined;
  /** Returns the keyed hash of a person's address. */
  readonly personOf: (address: string) => string;
  /** Returns the keyed hash of the network of an address on a day. */
  readonly networkOf: (address: string, day: string) => string | undefined;
  close(): Promise<void>;
}

/**
 * Opens the usage in a folder. Reservations of an earlier process count as used.
 * @param now milliseconds since 1970
 */
export async function openUsage(folder: string, now: () => number): Promise<OpenUsage> {
  // On Windows there are no owners, and no servers.
  const stored = await readStoredUsage(folder, process.getuid?.() ?? 0).catch(
    (): UsageProblem => 'damaged',
  );
  if (typeof stored === 'string')
    return { usage: undefined, problem: stored, ...nothing, close: async () => {} };
  const { ledger, journal } = stored;
  ledger.chargeOpen();
  const files = new UsageFiles(folder, ledger, journal);
  const isWritten = await files.compact();
  const key = await personKey(folder).catch(() => undefined);
  const hashKey = key ?? randomBytes(32);
  return {
    usage: new Usage(ledger, files, now),
    problem: isWritten && key ? undefined : 'unwritable',
    personOf: (address) => personHash(hashKey, address),
    networkOf: remembered((address, day) => networkHash(hashKey, address, day)),
    close: () => files.close(),
  };
}

const nothing = { personOf: () => '', networkOf: () => undefined };

/** Addresses whose hash is kept. */
const maxAddresses = 1000;

type NetworkOf = OpenUsage['networkOf'];

/** Keeps the last results: the same few addresses send all requests. */
function remembered(compute: NetworkOf): NetworkOf {
  const known = new Map<string, ReturnType<NetworkOf>>();
  return (address, day) => {
    const name = `${day} ${address}`;
    if (known.has(name)) return known.get(name);
    if (known.size >= maxAddresses) known.clear();
    const hash = compute(address, day);
    known.set(name, hash);
    return hash;
  };
}

/** Returns the keyed hash of an address: 16 hex digits. */
export function personHash(key: Uint8Array, address: string): string {
  return createHmac('sha256', key).update(address.toLowerCase()).digest('hex').slice(0, 16);
}

/** Reads the key of the hashes; undefined if there is none. */
export async function readPersonKey(folder: string): Promise<Uint8Array | undefined> {
  const found = await readRegular(join(folder, personKeyName), 1024, { follow: false });
  const text = found?.toString('latin1').trim() ?? '';
  return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}

async function personKey(folder: string): Promise<Uint8Array> {
  const known = await readPersonKey(folder);
  if (known) return known;
  const key = randomBytes(32);
  await replaceFile(join(folder, personKeyName), `${key.toString('hex')}\n`, { mode: 0o600 });
  return key;
}
