import { z } from 'zod';

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const hostName = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)*${label}$`);
/** A last label of digits, or a hexadecimal one, makes URL parsers read an address (WHATWG URL, 3.5). */
const numericEnd = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

/**
 * Tells whether the host of a URL is written plainly: a host name, an IPv4 address with four decimal
 * numbers or an IPv6 address in brackets. Programs disagree about everything else that URL parses:
 * percent-encoded names, `10.1`, `0x7f.1`, and `(` or `*` in a name.
 * @param text a URL that parses
 */
export function hasPlainHost(text: string): boolean {
  const authority = /^[a-z0-9+.-]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase();
  // URL has parsed what is in the brackets. Nothing of Node: the relay also runs on edges.
  if (/^\[[0-9a-f:.]+\]$/.test(host) || z.regexes.ipv4.test(host)) return true;
  return hostName.test(host) && !numericEnd.test(host);
}

/** Tells whether a text is a plain host, with a port or without. */
export function isHostAndPort(text: string): boolean {
  const url = `https://${text}`;
  return URL.canParse(url) && hasPlainHost(url);
}
