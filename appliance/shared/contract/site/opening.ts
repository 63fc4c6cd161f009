import { z } from 'zod';
import { ipVersion, isInRange } from '#platform/ip.ts';

/** An open port or port range. */
export interface Opening {
  readonly first: number;
  readonly last: number;
  readonly protocol: 'tcp' | 'udp';
  /** The only address or network that may connect; undefined: any. */
  readonly from?: string;
}

const form = /^([1-9][0-9]{0,4})(?:[-:]([1-9][0-9]{0,4}))?\/(tcp|udp)$/;
const expectation =
  'must be a port or a range with its protocol, such as 8443/tcp or 6000-6010/udp';

/** `8443/tcp` or `6000-6010/udp`; UFW's `6000:6010/udp` is accepted as well. */
export const openingText = z
  .string()
  .max(15)
  .regex(form, expectation)
  .refine((text) => parseOpening(text) !== undefined, expectation);

/** Parses a text such as `8443/tcp`; undefined for an invalid one. */
export function parseOpening(text: string): Opening | undefined {
  const [, first, last = first, protocol] = form.exec(text) ?? [];
  const opening = { first: Number(first), last: Number(last), protocol };
  return isOpening(opening) ? opening : undefined;
}

/** Formats an opening: `8443/tcp`, `6000-6010/udp`, `11443/tcp from 203.0.113.20`. */
export function formatOpening(opening: Opening): string {
  const { from } = opening;
  return from === undefined ? formatPorts(opening) : `${formatPorts(opening)} from ${from}`;
}

/** Formats the ports of an opening, without its source: `8443/tcp`. */
export function formatPorts({ first, last, protocol }: Opening): string {
  return `${first === last ? first : `${first}-${last}`}/${protocol}`;
}

/** Returns whether `outer` includes `inner`. */
export function covers(outer: Opening, inner: Opening): boolean {
  return (
    outer.protocol === inner.protocol &&
    outer.first <= inner.first &&
    inner.last <= outer.last &&
    coversSource(outer.from, inner.from)
  );
}

function coversSource(outer: string | undefined, inner: string | undefined): boolean {
  if (outer === undefined || outer === inner) return true;
  const [network, length] = partsOf(outer);
  const [address, longer] = partsOf(inner ?? '');
  return (
    ipVersion(network) === ipVersion(address) &&
    length <= longer &&
    isInRange(address, network, length)
  );
}

function partsOf(network: string): [address: string, bits: number] {
  const [address = '', bits = ipVersion(address) === 4 ? 32 : 128] = network.split('/');
  return [address, Number(bits)];
}

/** Returns whether two openings have a port in common. */
export function overlaps(one: Opening, other: Opening): boolean {
  return one.protocol === other.protocol && one.first <= other.last && other.first <= one.last;
}

function isOpening(value: {
  first: number;
  last: number;
  protocol: string | undefined;
}): value is Opening {
  const { first, last, protocol } = value;
  return (protocol === 'tcp' || protocol === 'udp') && first <= last && last <= 65535;
}
