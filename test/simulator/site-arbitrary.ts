import fc from 'fast-check';
import { z } from 'zod';
import { checkSite } from '#contract/site/rules.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { checkKeys } from '#explain/parse-site.ts';
import { CertificateAuthority } from '../faulty-server/certificates.ts';
import { arbitraryOf } from './schema-arbitrary.ts';

/** Strings that programs of a server interpret differently. A field gets those it accepts. */
const oddTexts = [
  ...['chat.example.com', 'a.io', 'xn--fiqs8s.example', '1.2.example.org', 'a--b.example.com'],
  ...['https://example.com', 'http://10.0.0.2:8080/a/b/', 'https://[2001:db8::1]/x/'],
  ...['https://EXAMPLE.com:443/v1/', 'https://example.com/a%20b/v1', 'http://mirror:8080'],
  ...['https://me@example.com/v1', 'https://example.com/v1?key=1', 'https://example.com/v1#x'],
  ...['https://a(b.example.com/v1', 'https://*.com/v1', 'https://1%0.0.0.2/v1', 'http://10.1/v1'],
  ...['https://example.com/;a=(1)*+,!@&%7B%7D/v1', 'https://example.com/%22;}/v1', 'http://a_b/v1'],
  ...['http://10.0.0.2', 'http://me:p%3Ass@10.0.0.2:7890', 'https://proxy.example', 'http://-/'],
  ...['http://1%0.0.0.2:7890', 'http://me:%E5%AF%86%27%22%20@10.0.0.2', 'http://a:b%23%3B@h:1'],
  ...['socks5h://10.0.0.2:7891', 'socks5://me:pw@proxy.example', 'socks5h://*:1', 'socks5://[::1]'],
  ...["o'brien@example.com", '-x@example.com', 'Me+x@a-b.example', 'a@b.c', '"a b"@example.com'],
  ...[
    '10.0.0.0/8',
    '1.2.3.4/0',
    '::1',
    'fe80::/10',
    '::ffff:1.2.3.4',
    '2001:db8::/32',
    '0.0.0.0/1',
  ],
  ...['*', '.example.com', '[::1]', 'host:8080', 'fd00::/8', '*.local', '/', '-', '][', '10.0.0.2'],
  ...['*.example.com', '*.com', '8443/tcp', '6000-6010/udp', '6000:6010/udp', '1-65535/tcp'],
  ...['never', '03:30', '24h', '-1', '1.5h', '0', 'localhost,.example.com, 10.0.0.0/8'],
  ...[
    'alidns',
    'rfc2136',
    'openai',
    'constructor',
    'provider',
    'second-provider',
    'a-b',
    'relay',
    'key',
    'owner',
  ],
  ...['ops', 'daemon', 'root', '_x', 'web-1', 'a_', '', '.', '-x', 'A.b-c_D'],
  ...['docker.io', 'ghcr.io', 'localhost:5000', '10.0.0.2:5000', 'a..b', 'docker.io:99999'],
  ...['gpt-5-mini', 'text-embedding-*', 'org/model:8b', '/audio/transcriptions', '2027-03-31'],
  ...['mirror.example/library', 'http://10.0.0.2:5000/', 'a..b/library', 'mirror.example:99999'],
  // What a shell, systemd, nginx, HAProxy, tinyproxy, Compose or a regular expression could read as its own.
  ...['https://example.com/%s/%n/%%/v1', 'https://example.com/a..b/[x]/v1', 'http://h/=,*&;!/v1'],
  ...['https://example.com/%24%7Bx%7D%0a/v1', 'https://me@example.com/a*b/', 'https://h/#x;{'],
  ...[
    'https://h/$(id)/v1',
    'https://h/`id`/v1',
    'https://h/${x}/v1',
    "https://h/'/v1",
    'https://h/"/v1',
  ],
  ...[
    'a;b',
    'a#b',
    'a\nb',
    'a\r\nb',
    'a b',
    'a\tb',
    'a\u2028b',
    'a\0b',
    'a{b}',
    'a$b',
    '$(id)',
    '%i',
  ],
  ...[
    '/mnt/a..b@c',
    '/mnt/%h',
    '/mnt/a:b',
    '/mnt/a b',
    "/mnt/a'b",
    '/mnt/a\\b',
    '/mnt/../etc',
    '/mnt/a,b',
  ],
  ...[
    'a..b--',
    'backup..x',
    '-o',
    '--x',
    'me\n@example.com',
    'me@example.com\nBcc: x@y.z',
    'x'.repeat(4096),
  ],
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
];

const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8';
const comment = fc.oneof(
  fc.constantFrom(
    ...['', ' me@laptop', " '; reboot #", ' $(id) `id` "', ' <laptop>', ' {name} \\'],
    ...[' \u2028\u2029', ' \ufeff\u202e', ' %u%%{{.}}', ` ${'x'.repeat(1500)}`],
  ),
  fc.stringMatching(/^ [ -~\u00a1-\uffff]{0,40}$/),
);
const ports = fc
  .uniqueArray(fc.integer({ min: 1024, max: 65_535 }), { minLength: 6, maxLength: 6 })
  .map(([ui, chat, lobe, tinyproxy, engine, relay]) => {
    return { ui, chat, lobe, tinyproxy, engine, relay };
  });
const basesOfProviders = oddTexts.filter((text) => /^https?:.*\/v1/.test(text));

const authorities = [new CertificateAuthority('one').cert, new CertificateAuthority('two').cert];

const provider = siteSchema.shape.providers.unwrap().valueType;

/** Random nodes rarely fit together: each has its own name and URL here. */
const node = (name: string) => {
  const { shape } = siteSchema.shape.engines.unwrap().shape.nodes.unwrap().element;
  const { slots, weight, models, backup } = shape;
  const rest = arbitraryOf(z.strictObject({ slots, weight, models, backup }), {
    texts: ['qwen3:8b', 'big:70b', 'x:latest'],
    overrides: {},
  }) as fc.Arbitrary<object>;
  const endpoint = fc.constantFrom(
    { url: `https://${name}.example.org` },
    { url: `https://${name}.example.org:11443/`, ca: authorities[0] },
    { url: `http://[fd00::${name.length}]:11434`, plain: 'i-understand' },
  );
  return fc.tuple(rest, endpoint).map(([one, other]) => ({ name, ...one, ...other }));
};
const engines = fc.option(
  fc.record(
    {
      local: fc.constantFrom('yes', 'backup', 'no'),
      nodes: fc.tuple(node('a'), node('attic')),
      swarm: fc.record({ slots: fc.integer({ min: 1, max: 64 }) }),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

/** Random devices rarely have their own names, keys and addresses. */
const access = fc.option(
  fc.record(
    {
      mode: fc.constant('wireguard'),
      address: fc.constantFrom('home.example.com', '203.0.113.7', '2001:db8::7'),
      port: fc.constantFrom(443, 51821, 65535),
      peers: fc.uniqueArray(fc.integer({ min: 2, max: 127 }), { maxLength: 4 }).map((numbers) =>
        numbers.map((number) => ({
          name: `device-${number}`,
          public_key: Buffer.alloc(32, number).toString('base64'),
          address: `10.86.0.${number}`,
        })),
      ),
    },
    { requiredKeys: ['mode'] },
  ),
  { nil: undefined, freq: 2 },
);

type Fields = Record<string, Record<string, unknown>>;

/** Any site whose fields are individually valid. */
const anyFields = arbitraryOf(siteSchema, {
  texts: oddTexts,
  overrides: {
    'admin.ssh_keys.*': comment.map((text) => sshKey + text),
    'providers.*.base_url': fc
      .constantFrom(...basesOfProviders)
      .filter((base_url) => provider.safeParse({ base_url }).success),
    ports: fc.option(ports, { nil: undefined }),
    // Random text is never a certificate or a time zone.
    timezone: fc.constantFrom(undefined, 'UTC', 'Asia/Shanghai', 'America/Argentina/Ushuaia'),
    ca: fc.constantFrom(undefined, ...authorities, authorities.join('\n')),
    access,
    engines,
    role: fc.constant(undefined),
    engine_node: fc.constant(undefined),
  },
}) as fc.Arbitrary<Fields>;

/** Fields that an engine node has beside its own. */
const fieldsOfNode = ['release', 'admin', 'route', 'dns', 'ca', 'mirrors', 'firewall', 'ports'];
const slots = fc.integer({ min: 1, max: 64 });
/** One that a first server lists, or one of a Swarm. */
const engineNode = fc.oneof(
  fc.record({
    client_ca: fc.constantFrom(...authorities),
    clients: fc.constantFrom(['203.0.113.10'], ['10.0.0.0/8', '2001:db8::10']),
    slots,
  }),
  fc.option(fc.record({ slots }), { nil: undefined }),
);
const nodeFields = fc.tuple(anyFields, engineNode).map(([fields, settings]) => ({
  ...Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      fieldsOfNode.includes(name) ? value : undefined,
    ]),
  ),
  ...{ role: 'engine-node', engine_node: settings },
}));

/** Any site of a server with a chat that the schema and the rules across fields accept, with defaults. */
export const anyChatSite = validSite(anyFields.map(fitted));
/** Any site of an engine node. */
export const anyNodeSite = validSite(nodeFields);
/** Any site. */
export const anySite = fc.oneof(
  { arbitrary: anyChatSite, weight: 7 },
  { arbitrary: anyNodeSite, weight: 1 },
);

function validSite(fields: fc.Arbitrary<object>): fc.Arbitrary<Site> {
  return fields
    .map((each) => siteSchema.safeParse(each).data)
    .filter((site): site is Site => {
      return site !== undefined && checkSite(site).length === 0 && checkKeys(site).length === 0;
    });
}

/** Random fields rarely fit together, so the most common conflicts are fixed. */
function fitted(all: Fields): object {
  const {
    hosts: given = {},
    components = {},
    tls,
    admin,
    variables,
    relay,
    access,
    ...fields
  } = all;
  const { port, http, ...hosts } = given;
  const isPlain = tls?.mode === 'off';
  const asksAuthority = /^acme/.test(String(tls?.mode));
  const names = tls?.mode === 'acme-ip' ? [] : Object.entries(hosts).filter(([, name]) => name);
  const named = new Map(names.map(([part, name]) => [name, part]));
  const needsName = asksAuthority && tls?.mode !== 'acme-ip' && named.size === 0;
  const ownHosts = Object.fromEntries([...named].map(([name, part]) => [part, name]));
  const [variable] = Object.entries(variables ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...fields,
    // Its authority needs port 80.
    access: asksAuthority ? undefined : access,
    admin: asksAuthority ? { ...admin, email: admin?.email ?? 'me@example.com' } : admin,
    hosts: {
      ...(needsName ? { ui: 'chat.example.com' } : ownHosts),
      port: isPlain ? undefined : port,
      http: isPlain || asksAuthority ? undefined : http,
    },
    components: {
      chat: components.chat ?? 'chat' in ownHosts,
      lobe: components.lobe ?? 'lobe' in ownHosts,
    },
    tls: tls && fittedTls(tls),
    variables: variable && Object.fromEntries([variable]),
    relay: relay && fittedRelay(relay, fields),
  };
}

/** Leaves out what has no effect with a mode. */
function fittedTls(tls: Fields[string]): object {
  const isAcme = tls.mode === 'acme' || tls.mode === 'acme-staging';
  const dns = isAcme ? tls.dns : undefined;
  const server = tls.mode === 'acme' || tls.mode === 'acme-ip' ? tls.server : undefined;
  const challenge = dns ? 'dns' : undefined;
  return { ...tls, accept_terms: true, challenge, dns, names: undefined, server };
}

/** Gives keys something to reach, and providers that the site has. */
function fittedRelay(relay: Fields[string], { providers = {}, hub }: Fields): object {
  const hosted = [...Object.keys(providers), ...(hub ? ['hub'] : [])];
  const local = relay.local || hosted.length === 0;
  const known = [...hosted, ...(local ? ['local'] : [])];
  const keys = relay.keys as Array<string | { providers?: string[] }> | undefined;
  return {
    ...relay,
    ...(keys?.length ? { local } : {}),
    keys: keys?.map((key) => {
      if (typeof key === 'string' || !key.providers) return key;
      return { ...key, providers: known.slice(0, key.providers.length) };
    }),
  };
}
