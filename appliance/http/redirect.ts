import { LandfallError } from '#contract/errors.ts';
import { safeUrl, withoutUserinfo } from './safe-url.ts';

/** One hop of a request. */
export interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Every place that the request has been to, this one last. */
  readonly visited: readonly string[];
}

const maxRedirects = 5;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Headers that belong to one origin (RFC 9110, section 15.4; cookies and proxies likewise). */
const personal = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * The hop that an answer asks for, or undefined when it is final. What proves who is asking stays
 * with the origin that it was meant for, and is not taken up again when a later hop returns there.
 * @throws LandfallError HTTP_REDIRECT for a loop, too many hops, https to http, or another scheme
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  const target = targetOf(hop.url, location);
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    throw refusal(hop, 'leads to something that is not a web address');
  }
  if (hop.url.protocol === 'https:' && target.protocol === 'http:') {
    throw refusal(hop, `leads from https to http (${safeUrl(target)})`);
  }
  if (hop.visited.includes(target.href)) throw refusal(hop, 'goes round in a circle');
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
  const kept = Object.entries(headers).filter(([name]) => !personal.has(name.toLowerCase()));
  return Object.fromEntries(kept);
}

function refusal(hop: Hop, what: string): LandfallError {
  return new LandfallError('HTTP_REDIRECT', `a redirect of ${safeUrl(hop.url)} ${what}`, {
    hint: 'Check the address; a login page or a filter on the way redirects like this too.',
  });
}
