import { z } from 'zod';

/** Ports that answer from outside: one, or a range with both ends. */
export interface Opening {
  readonly first: number;
  readonly last: number;
  readonly protocol: 'tcp' | 'udp';
}

const form = /^([1-9][0-9]{0,4})(?:[-:]([1-9][0-9]{0,4}))?\/(tcp|udp)$/;
const expectation =
  'must be a port or a range with its protocol, such as 8443/tcp or 6000-6010/udp';

/** `8443/tcp` or `6000-6010/udp`; UFW's own `6000:6010/udp` is understood too. */
export const openingText = z
  .string()
  .max(15)
  .regex(form, expectation)
  .refine((text) => parseOpening(text) !== undefined, expectation);

/** What a text such as `8443/tcp` means, or nothing where it means none. */
export function parseOpening(text: string): Opening | undefined {
  const [, first, last = first, protocol] = form.exec(text) ?? [];
  const opening = { first: Number(first), last: Number(last), protocol };
  return isOpening(opening) ? opening : undefined;
}

/** The one way to write it: `8443/tcp`, `6000-6010/udp`. */
export function formatOpening({ first, last, protocol }: Opening): string {
  return `${first === last ? first : `${first}-${last}`}/${protocol}`;
}

/** Whether everything that `inner` opens is opened by `outer` as well. */
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
