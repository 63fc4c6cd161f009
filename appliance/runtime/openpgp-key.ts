import { createHash } from 'node:crypto';
import { armored, dearmored } from './openpgp-armor.ts';
import { type OpenpgpPacket, openpgpPackets } from './openpgp-packets.ts';

/** One key, and nothing beside it. */
export interface OpenpgpKey {
  /** 40 upper-case hex digits (RFC 4880, 12.2). */
  readonly fingerprint: string;
  /** The packets that were judged, and nothing else of the file, in armor of our own making. */
  readonly text: string;
}

/** Larger keys do not exist in practice. Bytes. */
const largestKey = 64 << 10;
const primaryKey = 6;
/** What belongs to a key: signatures, names, subkeys, pictures (RFC 4880, 4.3). */
const partsOfKey = [2, 13, 14, 17];

/**
 * Reads a file that holds exactly one public OpenPGP key of version 4, binary or in one block of
 * armor. A second key beside the one that is asked for would be believed as well by whoever is
 * given the file, so a file with more is nothing at all: neither is one with private keys, with
 * packets that could hide a key, or with text around its block.
 *
 * A subkey needs no judgement here: those who verify signatures want it signed by its primary key.
 */
export function readOpenpgpKey(file: Buffer): OpenpgpKey | undefined {
  if (file.length > largestKey) return undefined;
  const bytes = dearmored(file);
  const [primary, ...parts] = (bytes && openpgpPackets(bytes)) ?? [];
  if (!bytes || primary?.tag !== primaryKey || primary.body[0] !== 4) return undefined;
  if (!parts.every(({ tag }) => partsOfKey.includes(tag))) return undefined;
  const fingerprint = fingerprintOf(primary);
  return fingerprint === undefined ? undefined : { fingerprint, text: armored(bytes) };
}

/** SHA-1 over 0x99, two bytes of length, and the packet (RFC 4880, 12.2). */
function fingerprintOf({ body }: OpenpgpPacket): string | undefined {
  if (body.length > 0xffff) return undefined;
  const prefix = Buffer.from([0x99, body.length >> 8, body.length & 0xff]);
  return createHash('sha1').update(prefix).update(body).digest('hex').toUpperCase();
}
