import { z } from 'zod';

/** An open port or port range. */
export interface Opening {
  readonly first: number;
  readonly last: number;
  readonly protocol: 'tcp' | 'udp';
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

/** Formats a port or range: `8443/tcp`, `6000-6010/udp`. */
export function formatOpening({ first, last, protocol }: Opening): string {
  return `${first === last ? first : `${first}-${last}`}/${protocol}`;
}

/** Returns whether `outer` includes `inner`. */
export function covers(outer: Opening, inner: Opening): boolean {
  return (
    outer.protocol === inner.protocol && outer.first <= inner.first && inner.last <= outer.last
  );
}

function isOpening(value: {
  first: number;
  last: number;
  protocol: string | undefined;
}): value is Opening {
  const { first, last, protocol } = value;
  return (protocol === 'tcp' || protocol === 'udp') && first <= last && last <= 65535;
}
