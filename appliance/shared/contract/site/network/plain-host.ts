import { z } from 'zod';
import { ipVersion } from '#platform/ip.ts';

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const hostName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)*${label}$`);
/** URL parsers treat a numeric or hexadecimal last label as an IPv4 address (WHATWG URL, 3.5). */
const numericEnd = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/**
 * Returns whether the host of a URL is plain: a host name, a dotted-decimal IPv4 address or an IPv6
 * address in brackets. Programs interpret other forms that URL accepts differently:
 * percent-encoded names, `10.1`, `0x7f.1`, and `(` or `*` in a name.
 * @param text a URL that parses
 */
export function hasPlainHost(text: string): boolean {
  const authority = /^[a-z0-9+.-]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
  // URL has already validated the brackets. Node APIs are avoided: the relay also runs on edges.
  if (/^\[[0-9a-f:.]+\]$/.test(host) || z.regexes.ipv4.test(host)) return true;
  return hostName.test(host) && !numericEnd.test(host);
}

/** Returns whether a text is a plain host, with or without a port. */
export function isHostAndPort(text: string): boolean {
  const url = `https://${text}`;
  return URL.canParse(url) && hasPlainHost(url);
}

/** How other machines reach a server: an IP address or a host name. */
export const hostOrAddress = z
  .string()
  .max(253)
  .refine(
    (text) =>
      ipVersion(text) !== 0 ||
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(text),
    'must be an IP address or a full host name in lower case',
  );
