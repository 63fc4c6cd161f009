import { z } from 'zod';
import { ipVersion } from '#platform/ip.ts';
import { hasPlainHost } from './network/plain-host.ts';

/** Formats of URLs and proxy exemptions in a site. */

/**
 * Returns a schema for URLs that all programs interpret alike: parsers silently drop line breaks
 * and spaces, and shells expand quotes and dollars. RFC 3986 without quotes and dollars, which can
 * be percent-encoded.
 * @param schemes alternatives of a pattern, such as `https?`
 */
export const urlOf = (schemes: string, example: string) => {
  const error = `must be a URL such as ${example}, with special characters percent-encoded`;
  return (
    z
      .string()
      .max(1024)
      .regex(new RegExp(`^(?:${schemes})://[A-Za-z0-9._~:/?#[\\]@!&()*+,;=%-]+$`), {
        error,
        abort: true,
      })
      .refine((text) => URL.canParse(text), { error, abort: true })
      .refine((text) => !/^[a-z0-9]+:\/\/[a-z0-9]+:\/\//i.test(text), {
        error: 'has two schemes: remove one of them',
        abort: true,
      })
      // URL drops both, but text to which a path is appended keeps them.
      .refine((text) => !/[?#](?:#|$)/.test(text), {
        error: 'has an empty query or fragment: remove the ? or #',
        abort: true,
      })
      .refine(hasPlainHost, {
        error: 'must have a plain host name or IP address, such as example.com or 10.0.0.2',
        abort: true,
      })
      // apt and Go treat the last @ as the end of the login, at any position.
      .refine((text) => !/^[^/]*\/\/[^/?#]*[/?#].*@/.test(text), {
        error: 'has an @ after its host, which some programs parse as the end of a login; use %40',
        abort: true,
      })
  );
};

export const webUrl = urlOf('https?', 'https://example.com/landfall');

/**
 * A mirror of a package archive. In sources.list, `#` starts a comment and `[` an option. apt appends
 * paths, so a query cannot work.
 */
export const archiveUrl = webUrl.refine(
  (text) => !/[?#[\]]|%(?:[01][0-9a-f]|20|7f)/i.test(text),
  'must have no ?, #, [, ], encoded space or encoded control character, which apt reads differently',
);

/** A URL to which programs append paths, and that has no secret: of a provider, or of a folder. */
export const bareUrl = webUrl.refine(isBare, 'must have no user, no query and no fragment');

function isBare(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === '';
}

/** The proxy of an HTTP route. */
export const proxyUrl = proxyOf('https?', 'http://10.0.0.2:7890').refine(
  (text) => !/^https:/i.test(text),
  'is an https proxy, which the bootstrap does not support: use its http URL; downloads are verified in any case',
);

/** The proxy of a SOCKS5 route. */
export const socksUrl = proxyOf('socks5h?', 'socks5h://10.0.0.2:7891');

/**
 * Returns a schema for proxy URLs. Rejects logins that programs on a server interpret differently.
 */
function proxyOf(schemes: string, example: string) {
  return urlOf(schemes, example)
    .refine((text) => loginOf(text) !== undefined, {
      error: 'has an invalid % in its login; use %25 for a literal %',
      abort: true,
    })
    .refine((text) => !/\p{Cc}/u.test(loginOf(text) ?? ''), 'has a control character in its login')
    .refine(
      hasWholeLogin,
      `needs both user and password, or neither, as in ${example.replace('//', '//user:password@')}`,
    )
    .refine(
      hasSimpleLogin,
      'has an @ in its login or a : in its user, which the HTTP proxy of the stack does not support; use another login',
    )
    .refine(
      (text) => !/[[\]].*@/.test(text),
      'has a [ or ] in its login, which some programs parse as an IPv6 address; use %5B or %5D',
    )
    .refine(
      (text) => /^[a-z0-9]+:\/\/[^/?#]+\/?$/i.test(text),
      'must end after its port, without a path, a query or a fragment',
    )
    .refine((text) => new URL(text).port !== '0', 'has the port 0')
    .refine(
      (text) => !new URL(text).hostname.startsWith('['),
      'has an IPv6 address, which the HTTP proxy of the stack does not support; use a host name',
    );
}

/** Returns the decoded user and password, or undefined if one of them is invalid. */
function loginOf(text: string): string | undefined {
  const { username, password } = new URL(text);
  const [user, secret] = [decoded(username), decoded(password)];
  return user === undefined || secret === undefined ? undefined : user + secret;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Some programs send no login if one of the two is empty. */
function hasWholeLogin(text: string): boolean {
  const { username, password } = new URL(text);
  return (username === '') === (password === '');
}

/** tinyproxy's Upstream ends the user at the first colon and the password at the first @. */
function hasSimpleLogin(text: string): boolean {
  return !loginOf(text)?.includes('@') && !decoded(new URL(text).username)?.includes(':');
}

const networkHint = 'must be an address or a range, such as 10.0.0.0/8';

/** An address or a range in CIDR notation. nft does not support IPv6 addresses that end in IPv4. */
export const network = z
  .union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()], networkHint)
  .refine((text) => !/:.*\./.test(text), networkHint);

const exemptHost = z
  .string()
  .max(253)
  .regex(
    /^[A-Za-z0-9.*:_/[\]-]+$/,
    'must be a host name, a domain such as .example.com or a range such as 10.0.0.0/8',
  )
  // nft rejects all rules for one invalid element.
  .refine(
    (text) => (!text.includes('/') && ipVersion(text) === 0) || network.safeParse(text).success,
    networkHint,
  );

export const exemptHosts = z.array(exemptHost).max(64);

/** Splits NO_PROXY into its entries, which are separated by commas and often spaces. */
export function exemptionsIn(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** The release of a site. */
export const release = z
  .union([z.array(bareUrl).min(1).max(8), z.literal('push')])
  .describe(
    'URLs of folders with the release, tried in this order. Or push: you send it over SSH.',
  );

/** Returns the URLs of folders with the release; none if the bundle arrives over SSH. */
export function releaseFolders(site: { readonly release: z.infer<typeof release> }): string[] {
  return site.release === 'push' ? [] : site.release;
}
