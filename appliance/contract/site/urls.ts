import { z } from 'zod';
import { hasPlainHost } from './plain-host.ts';

/** How a site writes places: URLs, and what is exempt from a proxy. */

/**
 * A URL that means the same to everybody who reads it: parsers drop line breaks and spaces without
 * a word, and shells act on quotes and dollars. RFC 3986 without the last two, which can be written
 * percent-encoded.
 * @param schemes alternatives of a pattern, such as `https?`
 */
export const urlOf = (schemes: string, example: string) => {
  const error = `must be a URL such as ${example}, with odd characters written as %XX`;
  return (
    z
      .string()
      .max(1024)
      .regex(new RegExp(`^(?:${schemes})://[A-Za-z0-9._~:/?#[\\]@!&()*+,;=%-]+$`), {
        error,
        abort: true,
      })
      .refine((text) => URL.canParse(text), { error, abort: true })
      .refine(hasPlainHost, {
        error:
          'must have a plain host name or address as its host, such as example.com or 10.0.0.2',
        abort: true,
      })
      // apt and Go take the last @ for the end of the login, whatever is before it.
      .refine((text) => !/^[^/]*\/\/[^/?#]*[/?#].*@/.test(text), {
        error:
          'has an @ behind its host, which some programs take for the end of a login; write %40',
        abort: true,
      })
  );
};

export const webUrl = urlOf('https?', 'https://example.com/landfall');

/** A mirror of a package archive. In a line of sources.list `#` starts a comment and `[` an option. */
export const archiveUrl = webUrl.refine(
  (text) => !/[#[\]]|%(?:[01][0-9a-f]|20|7f)/i.test(text),
  'must have no #, [, ], encoded space or encoded control character, which apt reads differently',
);

/** The API base of a provider. Its key is set on the server, and the relay appends its own paths. */
export const providerUrl = webUrl.refine((text) => {
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === '';
}, 'must have no user, no query and no fragment');

/** The proxy of an HTTP route. */
export const proxyUrl = proxyOf('https?', 'http://10.0.0.2:7890');

/** The proxy of a SOCKS5 route. */
export const socksUrl = proxyOf('socks5h?', 'socks5h://10.0.0.2:7891');

/** A proxy's address. What the programs on a server read differently in a login, it may not have. */
function proxyOf(schemes: string, example: string) {
  return urlOf(schemes, example)
    .refine((text) => loginOf(text) !== undefined, {
      error: 'has a % in its login that encodes no character; write a real % as %25',
      abort: true,
    })
    .refine((text) => !/\p{Cc}/u.test(loginOf(text) ?? ''), 'has a control character in its login')
    .refine(
      hasWholeLogin,
      `has a user or a password without the other; write both, as in ${example.replace('//', '//user:password@')}`,
    )
    .refine(
      hasSimpleLogin,
      'has an @ in its login or a : in its user, which the HTTP proxy of the stack cannot hand on; use another login there',
    )
    .refine(
      (text) => !/[[\]].*@/.test(text),
      'has a [ or ] in its login, which some programs take for an IPv6 address; write %5B or %5D',
    )
    .refine(
      (text) => /^[a-z0-9]+:\/\/[^/?#]+\/?$/i.test(text),
      'must end after its port, without a path, a query or a fragment',
    )
    .refine((text) => new URL(text).port !== '0', 'has the port 0')
    .refine(
      (text) => !new URL(text).hostname.startsWith('['),
      'has an IPv6 address, which the HTTP proxy of the stack cannot take; write a host name for it',
    );
}

/** User and password in plain characters, or nothing where they cannot be decoded. */
function loginOf(text: string): string | undefined {
  const { username, password } = new URL(text);
  return decoded(username + password);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Half of them send no login where one of the two is empty. */
function hasWholeLogin(text: string): boolean {
  const { username, password } = new URL(text);
  return (username === '') === (password === '');
}

/** What tinyproxy's Upstream can say: everything up to the first colon, and up to the first @. */
function hasSimpleLogin(text: string): boolean {
  return !loginOf(text)?.includes('@') && !decoded(new URL(text).username)?.includes(':');
}

const networkHint = 'must be an address or a range, such as 10.0.0.0/8';

/** An address, or a range of them in CIDR notation. nft reads no IPv6 address that ends in IPv4. */
export const network = z
  .union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()], networkHint)
  .refine((text) => !/:.*\./.test(text), networkHint);

const exemptHost = z
  .string()
  .max(253)
  .regex(
    /^[A-Za-z0-9.*:_/[\]-]+$/,
    'must be a host name, a domain such as .example.com or a range such as 10.0.0.0/8',
  );

export const exemptHosts = z.array(exemptHost).max(64);

/** The entries of NO_PROXY, which is written with commas and often with spaces. */
export function exemptionsIn(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
