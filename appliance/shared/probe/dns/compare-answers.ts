import { ipVersion, isInRange } from '#platform/ip.ts';
import { type Attempt, passedTls } from '../exchange/attempt.ts';
import { canonicalAddress } from './message.ts';

/**
 * Whether the system's resolver returns the right addresses. `clean`: the certificate or the
 * encrypted answer confirms them. `polluted`: they are wrong. `suspected`: they differ from the
 * encrypted answer, and neither could be confirmed. `unknown`: they could not be compared.
 */
export type DnsState = 'clean' | 'polluted' | 'suspected' | 'unknown';

/** What is known about the DNS of a host. */
interface DnsFindings {
  /** The request to the addresses of the system's resolver. */
  readonly direct: Attempt;
  /** The encrypted answer; undefined without one. */
  readonly trusted: readonly string[] | undefined;
  /** The request to the addresses of the encrypted answer, if it was sent. */
  readonly corrected: Attempt | undefined;
}

/** Judges the DNS answer of the system. CDNs return different addresses, so a difference is no proof. */
export function checkDns({ direct, trusted, corrected }: DnsFindings): DnsState {
  const system = direct.addresses;
  if (passedTls(direct)) return 'clean';
  if (trusted === undefined) return system.some(isBogus) ? 'suspected' : 'unknown';
  if (isOverlapping(system, trusted)) return 'clean';
  // The name does not exist, or exists in the local network only.
  if (trusted.length === 0) return system.length === 0 ? 'clean' : 'unknown';
  if (corrected !== undefined && passedTls(corrected)) return 'polluted';
  const isForged = system.length > 0 && system.every(isBogus) && !trusted.some(isBogus);
  if (isForged || direct.failure?.code === 'NETWORK_TLS') return 'polluted';
  return direct.failure === undefined ? 'clean' : 'suspected';
}

/** Returns whether two answers have an address in common. */
export function isOverlapping(one: readonly string[], other: readonly string[]): boolean {
  const known = new Set(one.map(canonicalAddress));
  return other.some((address) => known.has(canonicalAddress(address)));
}

/**
 * Ranges that no public host has (RFC 6890). 198.18.0.0/15 is not included, because transparent
 * proxies use it for fake addresses of public hosts.
 */
const bogusRanges: ReadonlyArray<readonly [network: string, bits: number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

function isBogus(address: string): boolean {
  return bogusRanges.some(
    ([network, bits]) =>
      ipVersion(network) === ipVersion(address) && isInRange(address, network, bits),
  );
}
