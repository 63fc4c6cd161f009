import { z } from 'zod';

/** How a site writes places: URLs, and what is exempt from a proxy. */

/**
 * A URL that means the same to everybody who reads it: parsers drop line breaks and spaces without
 * a word, and shells act on quotes and dollars. RFC 3986 without the last two, which can be written
 * percent-encoded.
 * @param schemes alternatives of a pattern, such as `https?`
 */
export const urlOf = (schemes: string, example: string) => {
  const error = `must be a URL such as ${example}, with odd characters written as %XX`;
  return z
    .string()
    .max(1024)
    .regex(new RegExp(`^(?:${schemes})://[A-Za-z0-9._~:/?#[\\]@!&()*+,;=%-]+$`), {
      error,
      abort: true,
    })
    .refine((text) => URL.canParse(text), error);
};

export const webUrl = urlOf('https?', 'https://example.com/landfall');

/** The proxy of an HTTP route. */
export const proxyUrl = urlOf('https?', 'http://10.0.0.2:7890');

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
