import { LandfallError } from '#contract/errors.ts';
import { safeUrl, withoutUserinfo } from './safe-url.ts';

/** One hop of a request. */
export interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** All visited URLs, ending with this one. */
  readonly visited: readonly string[];
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/**
 * Headers that must not be sent to another origin (RFC 9110, section 15.4; also cookies, proxies).
 */
const personal = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * Returns the next hop of a redirect, or undefined for a final response. Credentials stay with
 * their origin and are not sent again when a later hop returns there.
 * @throws LandfallError HTTP_REDIRECT for a loop, too many hops, https to http, or another scheme
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  const target = targetOf(hop.url, location);
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    throw refusal(hop, 'leads to an invalid URL');
  }
  if (hop.url.protocol === 'https:' && target.protocol === 'http:') {
    throw refusal(hop, `leads from https to http (${safeUrl(target)})`);
  }
  if (hop.visited.includes(target.href)) throw refusal(hop, 'is part of a loop');
  if (hop.visited.length > maxRedirects) throw refusal(hop, `has more than ${maxRedirects} hops`);
  const headers = target.origin === hop.url.origin ? hop.headers : impersonal(hop.headers);
  return { url: target, headers, visited: [...hop.visited, target.href] };
}

function targetOf(base: URL, location: string): URL | undefined {
  if (!URL.canParse(location, base)) return undefined;
  const target = withoutUserinfo(new URL(location, base));
  target.hash = '';
  return target;
}

function impersonal(headers: Readonly<Record<string, string>>): Record<string, string> {
  const impersonal = Object.entries(headers).filter(([name]) => !personal.has(name.toLowerCase()));
  return Object.fromEntries(impersonal);
}

/** Returns the error of a redirect that is not followed. */
export function refusal(hop: Hop, what: string): LandfallError {
  return new LandfallError('HTTP_REDIRECT', `redirect rejected: ${safeUrl(hop.url)} ${what}`, {
    hint: 'Check the URL, and check the network for a login page or a filter.',
  });
}
