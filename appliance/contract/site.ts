import { z } from 'zod';

/**
 * The site: who and where. It is private, never enters a bundle, and becomes user-data. It holds no
 * secret either: user-data can be read by every process on the server and by the provider.
 */

const hostname = z
  .string()
  .max(253)
  .regex(
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'must be a full host name in lower case, such as chat.example.com',
  );

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(1024);

const sshKey = z
  .string()
  .max(2048)
  .regex(
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) [A-Za-z0-9+/]+={0,3}(?: [^\n\r]*)?$/,
    'must be one line of an OpenSSH public key file, such as "ssh-ed25519 AAAA… me@laptop"',
  );

const admin = z.strictObject({
  user: z
    .string()
    .regex(/^(?!root$)[a-z_][a-z0-9_-]{0,31}$/, 'must be a Linux user name other than root')
    .default('ops')
    .describe('The sudo user that is made on the server.'),
  email: z.email().optional().describe('For the certificate authority and for the first account.'),
  ssh_keys: z
    .array(sshKey)
    .min(1, 'at least one key: without one nobody could log in')
    .max(16)
    .describe('Public keys that may log in as this user.'),
});

const hosts = z
  .strictObject({
    ui: hostname.optional(),
    chat: hostname.optional(),
    lobe: hostname.optional(),
    relay: hostname.optional(),
    docs: hostname.optional(),
  })
  .default({})
  .describe(
    'Host names to be reachable under. What has none is reachable over an SSH tunnel only.',
  );

const tls = z
  .strictObject({
    mode: z
      .enum(['acme', 'acme-staging', 'acme-ip', 'custom', 'internal', 'off'])
      .describe('Where the certificate comes from.'),
    accept_terms: z
      .boolean()
      .default(false)
      .describe("That you accept the certificate authority's terms."),
  })
  .default({ mode: 'internal', accept_terms: false });

const route = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('direct') }),
    z.strictObject({
      mode: z.literal('http-proxy'),
      url: z
        .url({ protocol: /^https?$/, error: 'must be a URL such as http://10.0.0.2:7890' })
        .max(1024),
      no_proxy: z.array(z.string().max(253)).max(64).default([]),
    }),
    z.strictObject({
      mode: z.literal('socks5'),
      url: z
        .url({ protocol: /^socks5h?$/, error: 'must be a URL such as socks5h://10.0.0.2:7891' })
        .max(1024),
      no_proxy: z.array(z.string().max(253)).max(64).default([]),
    }),
  ])
  .default({ mode: 'direct' })
  .describe('How the server reaches the outside.');

const mirrors = z
  .strictObject({
    apt: webUrl.optional().describe("A mirror of the distribution's archive."),
    apt_security: webUrl.optional().describe("A mirror of the distribution's security archive."),
    registries: z
      .record(z.string().max(253), webUrl)
      .default({})
      .describe('Mirrors by registry host, such as docker.io.'),
    files: webUrl.optional().describe('A mirror for files that a thin bundle leaves outside.'),
  })
  .default({ registries: {} });

const provider = z.strictObject({
  base_url: webUrl.describe(
    'The API base, ending in /v1. The key is set on the server, never here.',
  ),
});

export const siteSchema = z.strictObject({
  release: z
    .array(webUrl)
    .min(1)
    .max(8)
    .describe('Folders that hold the release, tried in this order.'),
  admin,
  hosts,
  tls,
  route,
  mirrors,
  components: z
    .strictObject({ chat: z.boolean().default(false), lobe: z.boolean().default(false) })
    .default({ chat: false, lobe: false })
    .describe('Optional components to turn on.'),
  providers: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), provider)
    .default({})
    .describe('Hosted providers that the relay serves, one base path each.'),
});

/** A site with every default filled in. */
export type Site = z.infer<typeof siteSchema>;
export type Route = Site['route'];
