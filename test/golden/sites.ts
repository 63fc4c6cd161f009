import { readFileSync } from 'node:fs';
import { serviceNames } from '#contract/component-names.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { readPublicKey, type TrustedKeys } from '#contract/trust/keys.ts';
import { secretNames } from '../../appliance/stages/secrets/secret-names.ts';
import type { StackInput } from '../../appliance/stages/stack/stack-input.ts';
import { emptyRelease, imageOf } from '../appliance/context.ts';

/*
 * The fixed inputs of the golden files. Nothing is random: a new key or date would change every file that
 * contains it.
 */

const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8';
const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAVLh5IHVUSfJ2fWgwr5BHQO+pkEvM9qOYXmNmKseIOc';

/** A certificate authority whose private key was deleted. */
const authority = `-----BEGIN CERTIFICATE-----
MIIBnzCCAUWgAwIBAgIUScDqDoGaIkKqepX7Ek8W2h/VaDowCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRRXhhbXBsZSBhdXRob3JpdHkwIBcNMjYxMTI5MjI0NzA3WhgP
MjEyNjExMDUyMjQ3MDdaMBwxGjAYBgNVBAMMEUV4YW1wbGUgYXV0aG9yaXR5MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVCW4pEExerhaX6lGRLNu1HFznvQMlJlv
YJSPAskZe/jeSQR8aOBoW/C8OXVy5MqIL+YjjPzwXbx9U0rrrkWXj6NjMGEwHQYD
VR0OBBYEFBG2W4qhcwz8NEP7BmoPgb0HSKqjMB8GA1UdIwQYMBaAFBG2W4qhcwz8
NEP7BmoPgb0HSKqjMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoG
CCqGSM49BAMCA0gAMEUCIG0vCnWsAu0GJHGRlzlmOImhjiQ9+8XjqePJHIIQyp8N
AiEA+gGGkthEMXSuESjSowAtapL1XkpInlIsE02JVzdhtjU=
-----END CERTIFICATE-----
`;

/** Keys that sign a release, without their private keys. */
export const keys: TrustedKeys = {
  release: [
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECaDZI3BNXIyeX8R18Fdy3kN1E5YPrivj2tTTmBR808TL+jGtyQfRqP48A1tLPZTZGEK1Etp3qxgTKvLhbzdr1w==',
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJcBTBbaz/CXWbIcFSXDYjmMmQNi84ySc69e1sUG69qI9u7IDqP9MxEZvaZMLCYVMWYDP8EnXqog/RyxJES2nVg==',
  ].map(readPublicKey),
  recovery: readPublicKey(
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9hf1kGh7iD0nSWny9tuqsPEu229tg2qOFPO5wUd1aMTviNSOvKxDNBnI+HKP57T/vo+cepIesq+gl4mPz3rR+A==',
  ),
};

const smallest = {
  release: ['https://downloads.example.com/landfall/'],
  admin: { ssh_keys: [`${sshKey} me@laptop`] },
};

/** Every field of a server with a chat, with values of its own. */
const everything = {
  release: [
    'https://downloads.example.com/landfall/1.2.0/',
    'https://mirror.example.net/landfall/1.2.0/',
  ],
  admin: {
    user: 'admin',
    email: 'admin@example.com',
    ssh_keys: [`${sshKey} me@laptop`, `${otherKey} me@phone`],
  },
  hosts: {
    ui: 'chat.example.com',
    chat: 'next.example.com',
    lobe: 'lobe.example.com',
    relay: 'api.example.com',
    docs: 'docs.example.com',
  },
  tls: {
    mode: 'acme',
    accept_terms: true,
    server: { url: 'https://acme.example.org/directory', ca: authority },
  },
  route: {
    mode: 'http-proxy',
    url: 'http://10.0.0.2:7890',
    no_proxy: ['localhost', '10.0.0.0/8', '.example.com'],
  },
  dns: {
    nameserver: ['9.9.9.9#dns.quad9.net', '2620:fe::fe#dns.quad9.net'],
    search: ['corp.example'],
    tls: true,
  },
  socks: { listen: '10.8.0.1', username: 'devices', allow: ['10.8.0.0/24'] },
  ca: authority,
  mirrors: {
    apt: 'https://mirror.example.net/debian',
    apt_security: 'https://mirror.example.net/debian-security',
    registries: { 'docker.io': ['https://one.example.net', 'https://two.example.net'] },
    files: 'https://mirror.example.net/files',
    models: 'https://models.example.net/library',
    github: 'https://mirror.example.net/github.com',
    hub: 'https://hub.example.net',
    npm: 'https://npm.example.net',
    pip: 'https://pip.example.net/simple',
  },
  docker: { source: 'docker', mirror: 'https://mirror.example.net/docker' },
  upgrades: { reboot: '03:30' },
  timezone: 'Europe/Berlin',
  language: 'en',
  updates: {
    channels: ['https://downloads.example.com/landfall/stable'],
    mode: 'install',
    window: '02:00-04:30',
  },
  backup: {
    to: [
      { kind: 'folder', path: '/mnt/backup' },
      { kind: 'sftp', host: 'backup.example.com', port: 2222, user: 'me', path: '/landfall' },
      { kind: 's3', url: 'https://s3.example.com/bucket/landfall', region: 'eu-1' },
    ],
    at: '01:15',
    keep: { daily: 3, weekly: 2, monthly: 1 },
  },
  components: { chat: true, lobe: true },
  models: ['qwen3:4b-instruct', 'qwen3-embedding:0.6b'],
  providers: {
    openai: { base_url: 'https://api.openai.com/v1' },
    deepseek: { base_url: 'https://api.deepseek.com/v1', models: ['deepseek-chat'] },
    anthropic: { base_url: 'https://api.anthropic.com/v1', api: 'anthropic' },
    gemini: { base_url: 'https://generativelanguage.googleapis.com/v1beta', api: 'gemini' },
    attic: { base_url: 'http://10.0.0.9:8000/v1', plain: 'i-understand' },
  },
  hub: { base_url: 'https://router.huggingface.co/hf-inference' },
  firewall: { allow: ['8443/tcp', '6000-6010/udp'], unlimited: ['203.0.113.0/24'] },
  report: { webhook: 'https://hooks.example.com/ready' },
  alerts: [
    {
      kind: 'smtp',
      host: 'smtp.example.com',
      user: 'me',
      from: 'a@example.com',
      to: ['b@example.com'],
    },
    { kind: 'telegram', chat: '-100123' },
    { kind: 'webhook', direct: true },
    { kind: 'slack' },
    { kind: 'feishu' },
    { kind: 'dingtalk' },
    { kind: 'wecom' },
    { kind: 'ntfy', name: 'phone' },
  ],
  relay: {
    keys: [
      'phone',
      {
        name: 'team',
        providers: ['openai', 'local'],
        models: ['gpt-5-mini', 'text-embedding-*'],
        tokens_per_day: 100_000,
        tokens_per_month: 2_000_000,
        requests_per_day: 500,
        requests_per_minute: 30,
        concurrency: 4,
        expires: '2027-03-31',
      },
    ],
    local: true,
    origins: ['https://editor.example.com'],
    ui: { tokens_per_day_per_user: 50_000 },
  },
  ui: { hosted_models: 'everyone', function_calling: 'native' },
  tinyproxy: {
    username: 'proxy',
    allow: ['198.51.100.0/24'],
    domains: ['api.openai.com', '*.example.org'],
  },
  ports: { ui: 3080, engine: 11435 },
  variables: { OLLAMA_KEEP_ALIVE: '5m' },
};

const chinese = {
  ...smallest,
  release: 'push',
  hosts: { ui: 'chat.example.com' },
  route: { mode: 'socks5', url: 'socks5h://10.0.0.2:7891' },
  mirrors: {
    apt: 'https://mirrors.tuna.tsinghua.edu.cn/ubuntu',
    registries: { 'docker.io': 'https://docker.m.daocloud.io' },
    models: 'https://ollama.m.daocloud.io',
  },
  timezone: 'Asia/Shanghai',
  language: 'zh',
  updates: { channels: ['https://downloads.example.com/landfall/stable'] },
  components: { chat: true },
  providers: { deepseek: { base_url: 'https://api.deepseek.com/v1' } },
};

const hosted = {
  ...smallest,
  tls: { mode: 'acme-ip', accept_terms: true },
  admin: { ...smallest.admin, email: 'admin@example.com' },
  models: [],
  providers: { openai: { base_url: 'https://api.openai.com/v1' } },
  components: { lobe: true },
};

const client = {
  ...smallest,
  tls: { mode: 'off' },
  route: { mode: 'client', capture: 'host', on_failure: 'direct', no_proxy: ['192.168.0.0/16'] },
  backup: { to: [{ kind: 'folder', path: '/mnt/backup' }], keep: 'never' },
  tinyproxy: { domains: 'any', open: 'i-understand', allow: ['10.8.0.0/24'] },
};

const engines = {
  ...smallest,
  hosts: { ui: 'chat.example.com' },
  tls: { mode: 'internal' },
  engines: {
    local: 'backup',
    nodes: [
      { name: 'gpu1', url: 'https://203.0.113.20:11443', ca: authority, slots: 4, weight: 3 },
      { name: 'gpu2', url: 'https://gpu2.example.org:11443', models: ['qwen3:8b'] },
      { name: 'attic', url: 'http://10.0.0.9:11434', plain: 'i-understand', backup: true },
    ],
  },
  relay: { keys: ['phone'], local: true },
};

const swarm = {
  ...smallest,
  engines: { swarm: { address: '203.0.113.5', slots: 2 } },
};

/** Its chat has no public port. */
const access = {
  ...smallest,
  access: {
    mode: 'wireguard',
    address: 'home.example.com',
    peers: [
      {
        ...{ name: 'laptop', address: '10.86.0.2' },
        public_key: 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=',
      },
    ],
  },
};

const node = {
  ...smallest,
  role: 'engine-node',
  engine_node: { client_ca: authority, clients: ['203.0.113.5'], slots: 4 },
};

const swarmNode = { ...smallest, role: 'engine-node' };

/** The sites of the golden files. Those that share a file show it below the first. */
const inputs = {
  ...{ smallest, everything, chinese, hosted, client, engines },
  ...{ swarm, node, swarmNode, access },
};

export type SiteName = keyof typeof inputs;
export const siteNames = Object.keys(inputs) as readonly SiteName[];

/** Returns a site as the server reads it. */
export function siteOf(name: SiteName): Site {
  return siteSchema.parse(inputs[name]);
}

/** Returns the fields of a site as its administrator writes them. */
export function fieldsOf(name: SiteName): Readonly<Record<string, unknown>> {
  return inputs[name];
}

/** A release with every component, and models for servers of every size. */
export const release = {
  ...emptyRelease,
  version: '1.2.0',
  kind: 'thin' as const,
  created: '2026-11-01T00:00:00Z',
  expires: '2027-11-01T00:00:00Z',
  keys: { release: keys.release.map(({ spki }) => spki), recovery: keys.recovery?.spki ?? null },
  images: [...serviceNames, 'engine-rocm'].map((name) => imageOf(name, 400_000_000)),
  models: (
    [
      ['qwen3:1.7b', 'chat', 1_400_000_000],
      ['qwen3:4b-instruct', 'chat', 2_500_000_000],
      ['qwen3:8b', 'chat', 5_200_000_000],
      ['all-minilm:22m', 'embedding', 46_000_000],
      ['qwen3-embedding:0.6b', 'embedding', 640_000_000],
    ] as const
  ).map(([name, role, size]) => {
    return { name, role, manifest: `sha256:${'b'.repeat(64)}` as const, size };
  }),
};

/** The size of the server of a site. */
const sizes: Readonly<Partial<Record<SiteName, { memory: number; cpus: number }>>> = {
  smallest: { memory: 4e9, cpus: 2 },
  hosted: { memory: 2e9, cpus: 2 },
  node: { memory: 32e9, cpus: 16 },
};

/** Returns everything from which the stack of a site is rendered. */
export function stackInputOf(name: SiteName): StackInput {
  const site = siteOf(name);
  const isNode = site.role !== undefined;
  const server = {
    ...(sizes[name] ?? { memory: 8e9, cpus: 4 }),
    ...(isNode ? { engineOnly: true, slots: site.engine_node?.slots ?? 1 } : {}),
  };
  return {
    site,
    secrets: Object.fromEntries(
      secretNames(site).map((secret) => [secret.name, `secret-of-${secret.name.toLowerCase()}`]),
    ),
    server: {
      ...server,
      addresses: ['203.0.113.5', '2001:db8::5'],
      gpu: name === 'node' ? 'nvidia' : 'none',
      ipv6: name === 'client' ? 'none' : 'reachable',
      startInterval: name !== 'smallest',
      joined: name === 'swarmNode',
    },
    models: localModels(release, site, server),
    releaseModels: release.models,
    providerModels: new Map([['openai', ['gpt-5', 'gpt-5-mini']]]),
    version: release.version,
    images: release.images,
    gatewayConfiguration: readFileSync(
      new URL('../../compose/gateway/nginx.conf', import.meta.url),
      'utf8',
    ),
    trustedCertificate: name === 'everything',
  };
}
