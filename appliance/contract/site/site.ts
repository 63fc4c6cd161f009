import { z } from 'zod';
import { areDistinctModels, modelPattern } from '../bundle/model-name.ts';
import { byComponent, hostComponents, selectableComponents } from '../component-names.ts';
import { emailAddress } from './email.ts';
import { modelMirrorPattern, parseModelMirror } from './model-mirror.ts';
import { openingText } from './opening.ts';
import { isHostAndPort } from './plain-host.ts';
import { relaySettings, stackPorts, stackVariables, tinyproxySettings } from './stack.ts';
import { updates } from './updates.ts';
import {
  archiveUrl,
  exemptHosts,
  network,
  providerUrl,
  proxyUrl,
  socksUrl,
  urlOf,
  webUrl,
} from './urls.ts';
import { userName } from './user-name.ts';

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

const registryHost = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?$/,
    'must be the host of a registry, such as docker.io',
  )
  .refine(isHostAndPort, 'must be the host of a registry, such as docker.io');

const sshKey = z
  .string()
  .max(2048)
  .regex(
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) [A-Za-z0-9+/]+={0,3}(?: [ -~\u00a1-\uffff]*)?$/,
    'must be one line of an OpenSSH public key file, such as "ssh-ed25519 AAAA… me@laptop"',
  );

const admin = z.strictObject({
  user: userName.default('ops').describe('The sudo user that is made on the server.'),
  email: emailAddress
    .optional()
    .describe('For the certificate authority and for the first account.'),
  ssh_keys: z
    .array(sshKey)
    .min(1, 'at least one key: without one nobody could log in')
    .max(16)
    .describe('Public keys that may log in as this user.'),
});

const hosts = z
  .strictObject(byComponent(hostComponents, () => hostname.optional()))
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
    server: z
      .strictObject({
        url: urlOf('https', 'https://acme.example.com/directory').describe(
          "The URL of the authority's directory (RFC 8555, 7.1.1).",
        ),
        ca: z
          .string()
          .max(8192)
          .regex(
            /^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+\n-----END CERTIFICATE-----\n?$/,
            'must be one certificate in PEM',
          )
          .optional()
          .describe('Who vouches for that URL, where no public authority does.'),
      })
      .optional()
      .describe("Another ACME authority than Let's Encrypt, for the modes acme and acme-ip."),
  })
  .default({ mode: 'internal', accept_terms: false })
  .describe('How the server proves to browsers who it is.');

const route = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('direct') }),
    z.strictObject({
      mode: z.literal('http-proxy'),
      url: proxyUrl,
      no_proxy: exemptHosts.default([]),
    }),
    z.strictObject({
      mode: z.literal('socks5'),
      url: socksUrl,
      no_proxy: exemptHosts.default([]),
    }),
  ])
  .default({ mode: 'direct' })
  .describe('How the server reaches the outside.');

const modelMirrorText =
  "must be a mirror of Ollama's registry, such as https://mirror.example or https://mirror.example/library";

const mirrors = z
  .strictObject({
    apt: archiveUrl.optional().describe("A mirror of the distribution's archive."),
    apt_security: archiveUrl
      .optional()
      .describe("A mirror of the distribution's security archive."),
    registries: z
      .record(registryHost, webUrl)
      .default({})
      .describe('Mirrors by registry host, such as docker.io.'),
    files: webUrl.optional().describe('A mirror for files that a thin bundle leaves outside.'),
    models: z
      .string()
      .max(512)
      .regex(modelMirrorPattern, modelMirrorText)
      .refine((text) => isHostAndPort(parseModelMirror(text)?.host ?? ''), modelMirrorText)
      .optional()
      .describe("A mirror of Ollama's registry for the models that the server pulls."),
  })
  .default({ registries: {} })
  .describe('Places near the server that have what others keep far away.');

const engine = z
  .strictObject({
    source: z
      .enum(['distribution', 'docker'])
      .default('distribution')
      .describe("Debian's or Ubuntu's own packages, or those of Docker Inc."),
    mirror: webUrl
      .optional()
      .describe('A mirror of https://download.docker.com/linux, without the distribution.'),
  })
  .default({ source: 'distribution' })
  .describe('Where Docker comes from.');

const upgrades = z
  .strictObject({
    reboot: z
      .union(
        [z.literal('never'), z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)],
        'must be never, or a time of day such as 03:30',
      )
      .default('never')
      .describe("When the server may restart after upgrades that take it, by the server's clock."),
  })
  .default({ reboot: 'never' })
  .describe('Security upgrades of the system, which come by themselves.');

const provider = z.strictObject({
  base_url: providerUrl.describe(
    'The API base, ending in /v1. The key is set on the server, never here.',
  ),
});

export const siteSchema = z.strictObject({
  release: z
    .array(webUrl)
    .min(1)
    .max(8)
    .describe('Folders that hold the release, tried in this order.'),
  admin: admin.describe('Who may log in to the server.'),
  hosts,
  tls,
  route,
  mirrors,
  engine,
  upgrades,
  updates,
  components: z
    .strictObject(byComponent(selectableComponents, () => z.boolean().default(false)))
    .default(byComponent(selectableComponents, () => false))
    .describe('Optional components to turn on.'),
  models: z
    .array(
      z
        .string()
        .max(512)
        .regex(modelPattern, 'must be a model with its size tag, such as qwen3:8b'),
    )
    .max(16)
    .refine(areDistinctModels, 'names a model twice')
    .optional()
    .describe(
      'Which models of the release the server gets. Left out: the largest that fits its memory. Empty: hosted models only.',
    ),
  providers: z
    .record(
      z
        .string()
        .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case')
        // Its key on the server would have the name of a relay key.
        .regex(/^(?!relay-key)/, 'must not begin with relay-key'),
      provider,
    )
    .default({})
    .describe('Hosted providers that the relay serves, one base path each.'),
  firewall: z
    .strictObject({
      allow: z
        .array(openingText)
        .max(32)
        .default([])
        .describe('Ports open besides SSH, 80 and 443: 8443/tcp, 6000-6010/udp.'),
      unlimited: z
        .array(network)
        .max(64)
        .default([])
        .describe(
          'Networks of many visitors, such as those of a CDN: no limit of connections to 80 and 443, no ban there.',
        ),
    })
    .default({ allow: [], unlimited: [] })
    .describe('What is reachable from outside, and how often at once.'),
  report: z
    .strictObject({
      webhook: webUrl
        .optional()
        .describe('Gets the report as JSON, without secrets, once the server is up.'),
    })
    .optional()
    .describe('Who else is told when the server is up.'),
  relay: relaySettings,
  tinyproxy: tinyproxySettings,
  ports: stackPorts,
  variables: stackVariables,
});

/** A site with every default filled in. */
export type Site = z.infer<typeof siteSchema>;
export type Route = Site['route'];
