import type { LandfallError } from '#contract/errors.ts';
import { certificateNames } from '../certificates/gateway-pairs.ts';
import { judgePair, leafOf, type Pair } from '../certificates/pair.ts';
import type { Context } from '../stage/stage.ts';
import { issuedPair } from './acme-folder.ts';
import type { Refusal } from './acme-refusal.ts';
import { type Attempts, errorOf, readAttempts } from './attempts.ts';
import type { Authority } from './authority.ts';
import type { Wanted } from './certificate-plan.ts';
import { renewalTime } from './renewal-time.ts';
import { requestCertificate } from './request-certificate.ts';
import { findNamesHere } from './resolve-hosts.ts';
import type { Resolve } from './resolve-name.ts';

/** When to request a certificate. */
export interface Urgency {
  /** Requests a certificate now, regardless of the current one and of DNS. */
  readonly force?: boolean;
  /** Respects the retry delays after earlier failures. */
  readonly patient?: boolean;
}

/**
 * Returns the certificate of an authority. Requests a new one when the current certificate lacks a name
 * or is due for renewal. Names that do not resolve to this server yet are left out, so that they do not
 * delay the others.
 */
export async function acmePair(
  context: Context,
  authority: Authority,
  resolve: Resolve,
  { force = false, patient = false }: Urgency,
): Promise<Wanted> {
  const { host, site } = context;
  const names = await certificateNames(host, site);
  const issued = await usable(await issuedPair(host, authority));
  const covered = issued
    ? names.filter((name) => judgePair(issued, [name], now()).length === 0)
    : [];
  const isDue = !issued || hasTimeCome(issued);
  if (!force && !isDue && covered.length === names.length) return { pair: issued, open: [] };

  const before = await readAttempts(host);
  if (!force && before && isTooEarly(before, patient)) {
    return { pair: issued, open: [errorOf(before)], asked: false };
  }
  // Names of the current certificate resolved to this server before. Check them again only after the
  // authority failed to verify them.
  const led = before?.code === 'ACME_CHALLENGE' ? [] : covered;
  const sure = force ? names : led;
  const doubtful = names.filter((name) => !sure.includes(name));
  const { ready, error } = await findNamesHere(context, doubtful, resolve);
  const open = error ? [error] : [];
  const toAsk = names.filter((name) => sure.includes(name) || ready.includes(name));
  const gains = toAsk.some((name) => !covered.includes(name));
  if (toAsk.length === 0 || !(force || isDue || gains)) return { pair: issued, open };
  return await ask(context, authority, toAsk, { pair: issued, open });
}

/** Returns whether to wait. A rate limit always applies, unless the user forces a request. */
function isTooEarly({ notBefore, code }: Attempts, patient: boolean): boolean {
  return new Date(notBefore) > now() && (patient || code === 'ACME_RATE_LIMIT');
}

async function ask(
  context: Context,
  authority: Authority,
  names: readonly string[],
  { pair, open }: { readonly pair: Pair | undefined; readonly open: readonly LandfallError[] },
): Promise<Wanted> {
  context.report.say(
    `requesting a certificate from ${new URL(authority.url).host}: ${names.join(', ')}`,
  );
  const refusal: Refusal | undefined = await requestCertificate(context, authority, names);
  // The authority's error comes first: it is more important than a missing record.
  if (refusal) return { pair, open: [refusal.error, ...open], retryAt: refusal.retryAt };
  return { pair: await usable(await issuedPair(context.host, authority)), open };
}

function usable(pair: Pair | undefined): Pair | undefined {
  return pair && judgePair(pair, [], now()).length === 0 ? pair : undefined;
}

/** Returns whether a certificate is due for renewal. */
export function hasTimeCome(pair: Pair): boolean {
  const leaf = leafOf(pair.chain);
  return !leaf || renewalTime(leaf) <= now();
}

const now = () => new Date();
