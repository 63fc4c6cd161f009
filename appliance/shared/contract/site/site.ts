import { z } from 'zod';
import { areDistinctModels, modelNameSchema } from '../bundle/model-name.ts';
import { byComponent, hostComponents, selectableComponents } from '../component-names.ts';
import { components } from '../components.ts';
import { languages } from '../text/language.ts';
import { timeZone } from '../text/time-zone.ts';
import { alerts } from './alerts/targets.ts';
import { backup, restore } from './backup/targets.ts';
import { ca } from './certificates/ca.ts';
import { tls } from './certificates/tls.ts';
import { emailAddress } from './email.ts';
import { engineNode, role } from './engines/engine-node.ts';
import { engines } from './engines/engines.ts';
import { access } from './network/access.ts';
import { dns } from './network/dns.ts';
import { mirrors } from './network/mirrors.ts';
import { socks } from './network/socks.ts';
import { openingText } from './opening.ts';
import { providers } from './providers/providers.ts';
import { relaySettings } from './relay/relay-settings.ts';
import { route } from './route.ts';
import { port, stackPorts, stackVariables, tinyproxySettings, uiSettings } from './stack.ts';
import { updates } from './updates.ts';
import { archiveUrl, bareUrl, network, release, webUrl } from './urls.ts';
import { userName } from './user-name.ts';

/**
 * The site: the private settings of one server. It is never in a bundle and becomes user-data. It
 * contains no secrets: every process on the server and the provider can read user-data.
 */

const hostname = z
  .string()
  .max(253)
  .regex(
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'must be a full host name in lower case, such as chat.example.com',
  )
  // Its alias in compose.yaml.
  .refine((name) => name !== 'proxy.local', 'is the name of the gateway inside of the stack');

const sshKey = z
  .string()
  .max(2048)
  .regex(
    /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) [A-Za-z0-9+/]+={0,3}(?: [ -~\u00a1-\uffff]*)?$/,
    'must be one line of an OpenSSH public key file, such as "ssh-ed25519 AAAA… me@laptop"',
  );

const admin = z.strictObject({
  user: userName.default('ops').describe('The sudo user that is created on the server.'),
  email: emailAddress
    .optional()
    .describe('For the certificate authority and for the first account.'),
  ssh_keys: z
    .array(sshKey)
    .min(1, 'needs at least one key, which is required to log in')
    .max(16)
    .describe('Public keys that may log in as this user.'),
});

const hosts = z
  .strictObject({
    ...byComponent(hostComponents, (name) =>
      hostname.optional().describe(`Host name of ${components[name].product}.`),
    ),
    port: port.optional().describe('The public port of HTTPS. Default: 443.'),
    http: z
      .boolean()
      .optional()
      .describe('Whether port 80 is open, which redirects to HTTPS. Default: true.'),
  })
  .default({})
  .describe('Host names. Without one: ui at the IP address, the others only by SSH tunnel.');

/** The source of Docker. */
const docker = z
  .strictObject({
    source: z
      .enum(['auto', 'docker', 'distribution'])
      .default('auto')
      .describe(
        'The packages of Docker Inc. (`docker`), of Debian or Ubuntu (`distribution`), or the former where they can be installed, else the latter (`auto`).',
      ),
    mirror: archiveUrl
      .optional()
      .describe('A mirror of https://download.docker.com/linux, without the distribution.'),
  })
  .default({ source: 'auto' })
  .describe('The source of Docker.');

const upgrades = z
  .strictObject({
    reboot: z
      .union(
        [z.literal('never'), z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)],
        'must be never, or a time of day such as 03:30',
      )
      .default('never')
      .describe(
        "When the server may reboot after upgrades that need it, in the server's time zone.",
      ),
  })
  .default({ reboot: 'never' })
  .describe('Automatic security upgrades of the system.');

export const siteSchema = z.strictObject({
  release,
  admin: admin.describe('Who may log in to the server.'),
  hosts,
  tls,
  access,
  route,
  dns,
  socks,
  ca,
  mirrors,
  docker,
  upgrades,
  timezone: timeZone
    .optional()
    .describe(
      'The time zone of reboots, timers, logs and alerts, such as Asia/Shanghai. Default: that of the image.',
    ),
  language: z
    .enum(languages)
    .optional()
    .describe(
      'The language of alerts, of the login message and of commands. Default: that of the terminal, else English.',
    ),
  updates,
  backup,
  restore,
  components: z
    .strictObject(
      byComponent(selectableComponents, (name) =>
        z
          .boolean()
          .default(false)
          .describe(
            `Whether the server runs ${components[name].product}. ${components[name].upkeep.en}`,
          ),
      ),
    )
    .default(byComponent(selectableComponents, () => false))
    .describe('Optional components to enable.'),
  models: z
    .array(modelNameSchema)
    .max(16)
    .refine(areDistinctModels, 'lists a model twice')
    .optional()
    .describe(
      'The models of the release that the server installs. Default: the largest that fits into memory. Empty: hosted models only.',
    ),
  context: z
    .int()
    .min(2048)
    .max(1_048_576)
    .optional()
    .describe(
      'Tokens of a conversation with a local model: 65536 for coding agents. Default: the largest of 16384, 8192 and 4096 that fits into memory.',
    ),
  context_cache: z
    .enum(['f16', 'q8_0'])
    .optional()
    .describe(
      'The format of the memory of a conversation. q8_0 needs about half of it, and a CPU then reads long prompts up to 2.9 times slower. Default: f16.',
    ),
  engines,
  role,
  engine_node: engineNode,
  providers,
  hub: z
    .strictObject({
      base_url: bareUrl.describe(
        'The URL before /models/<model>. The token HUB_API_KEY is set on the server, never here.',
      ),
    })
    .optional()
    .describe('A model hub with hosted inference, which the relay serves at /hub/models.'),
  firewall: z
    .strictObject({
      allow: z
        .array(openingText)
        .max(32)
        .default([])
        .describe(
          'Open ports in addition to those of SSH and of the gateway: 8443/tcp, 6000-6010/udp.',
        ),
      unlimited: z
        .array(network)
        .max(64)
        .default([])
        .describe(
          'Networks with many visitors, such as a CDN: no connection limit and no bans at the gateway.',
        ),
    })
    .default({ allow: [], unlimited: [] })
    .describe('Open ports and connection limits.'),
  report: z
    .strictObject({
      webhook: webUrl
        .optional()
        .describe(
          'URL that receives the report as JSON, without secrets, when the server is ready.',
        ),
    })
    .optional()
    .describe('Notification when the server is ready.'),
  alerts,
  relay: relaySettings,
  ui: uiSettings,
  tinyproxy: tinyproxySettings,
  ports: stackPorts,
  variables: stackVariables,
});

/** A site with all defaults. */
export type Site = z.infer<typeof siteSchema>;
export type Route = Site['route'];
