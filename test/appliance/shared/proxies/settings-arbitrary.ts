import fc from 'fast-check';
import {
  logLevels,
  modes,
  nameserverSchema,
  type ProxySettings,
  settingsSchema,
} from '#proxies/model/settings.ts';
import { nameSchema, pathSchema, secretSchema } from '#proxies/model/text.ts';
import { ssCiphers } from '#proxies/protocols/ss.ts';
import { fingerprints } from '#proxies/protocols/tls.ts';
import { congestionControls, relayModes } from '#proxies/protocols/tuic.ts';
import { vmessCiphers } from '#proxies/protocols/vmess.ts';

/** Any settings that the model accepts, with every type of proxy, group and rule. */

const odd = [
  'true',
  '0123',
  '1e5',
  '~',
  'null',
  '- x',
  '#',
  "'",
  '"',
  '\\',
  ': ',
  '{a: 1}',
  '%41',
  '👨‍👩‍👧',
  '1_000',
  '=',
  '<<',
];
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.constantFrom(...odd),
);
const name = text.filter((each) => nameSchema.safeParse(each).success && !each.includes(','));
const secret = text.filter((each) => secretSchema.safeParse(each).success);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const yes = maybe(fc.constant(true as const));
const port = fc.integer({ min: 1, max: 65_535 });
const host = fc.oneof(
  fc.constantFrom('a.example', 'x-1.y2.example', 'localhost', 'xn--fiqs8s.example'),
  fc.ipV4(),
  fc.constantFrom('2001:db8::1', '::1', 'fe80::1:2'),
);
/** Names that are only sent need not be host names. */
const sent = fc.oneof(
  host,
  fc.constantFrom('a.example:443', 't.me/x', '$$a', '香港 "x"', 'a\\;b=c'),
);
const path = fc
  .oneof(
    fc.constantFrom('/', '/x?y=1&z=%2F', '/a;b=c', "/it's", '/a b#c"\\', '/@香港?x='),
    fc.webPath({ size: 'small' }),
  )
  .filter((each) => pathSchema.safeParse(each).success);
const uuid = fc.uuid();
const alpn = maybe(fc.subarray(['h2', 'http/1.1', 'h3'], { minLength: 1 }));

const quicTls = fc.record({ 'server-name': sent, insecure: fc.boolean(), alpn });
const httpTls = fc.record({ 'server-name': sent, insecure: fc.boolean() });
const tls = fc
  .record({
    'server-name': sent,
    insecure: fc.boolean(),
    alpn,
    fingerprint: maybe(fc.constantFrom(...fingerprints)),
    reality: maybe(
      fc.record({
        'public-key': fc.constant('jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0'),
        'short-id': maybe(fc.constantFrom('00', '0123', '1e10', '0123456789abcdef')),
      }),
    ),
  })
  .map((each) => (each.reality ? { ...each, fingerprint: each.fingerprint ?? 'chrome' } : each));

const transports = {
  ws: fc.record({
    type: fc.constant('ws'),
    path,
    host: maybe(sent),
    'max-early-data': maybe(port),
    'early-data-header': maybe(fc.constant('Sec-WebSocket-Protocol')),
  }),
  httpupgrade: fc.record({ type: fc.constant('httpupgrade'), path, host: maybe(sent) }),
  grpc: fc.record({
    type: fc.constant('grpc'),
    service: fc.constantFrom('GunService', 'a.b-c_d~', '0', '@香港 / x'),
  }),
  h2: fc.record({
    type: fc.constant('h2'),
    path,
    hosts: fc.array(sent, { minLength: 1, maxLength: 3 }),
  }),
  http: fc.record({
    type: fc.constant('http'),
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    path,
    hosts: fc.array(sent, { maxLength: 2 }),
  }),
};
const { ws, httpupgrade, grpc, h2, http } = transports;
const secure = fc.record({ tls, transport: maybe(fc.oneof(ws, httpupgrade, grpc, h2)) });
const insecure = fc.record({ transport: maybe(fc.oneof(ws, httpupgrade, grpc, http)) });
const stream = fc.oneof(secure, insecure);

const common = { server: host, port, tfo: yes, mptcp: yes };
const packets = maybe(fc.constantFrom('xudp', 'packetaddr'));
const of = (
  type: string,
  fields: Record<string, fc.Arbitrary<unknown>>,
  more: fc.Arbitrary<object> = fc.constant({}),
) =>
  fc
    .tuple(fc.record({ type: fc.constant(type), ...common, ...fields }), more)
    .map(([first, second]) => ({ ...first, ...second }));

const keyOf = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => Buffer.from(bytes).toString('base64'));
const login = fc.oneof(fc.record({ username: secret, password: maybe(secret) }), fc.constant({}));
// The schema of mihomo, not mihomo itself, requires a host name here.
const plugin = fc.oneof(
  fc.record({ type: fc.constant('obfs'), mode: fc.constantFrom('http', 'tls'), host }),
  fc.record({
    type: fc.constant('v2ray-plugin'),
    tls: fc.boolean(),
    host,
    path,
    mux: fc.boolean(),
  }),
);
const udp = fc.boolean();
const proxy = fc.oneof(
  fc.constantFrom(...ssCiphers).chain((cipher) =>
    of('ss', {
      cipher: fc.constant(cipher),
      password: cipher.startsWith('2022') ? keyOf(cipher.includes('128') ? 16 : 32) : secret,
      udp,
      'udp-over-tcp': maybe(fc.constantFrom(1, 2)),
      plugin: maybe(plugin),
    }),
  ),
  of(
    'vmess',
    {
      uuid,
      alterId: fc.constantFrom(0, 64),
      cipher: fc.constantFrom(...vmessCiphers),
      udp,
      'packet-encoding': packets,
    },
    stream,
  ),
  of('vless', { uuid, udp, 'packet-encoding': packets }, stream),
  of('vless', { uuid, udp, tls, flow: fc.constant('xtls-rprx-vision') }),
  of('trojan', { password: secret, udp, tls, transport: maybe(fc.oneof(ws, grpc, httpupgrade)) }),
  of('hysteria2', {
    password: maybe(secret),
    obfs: maybe(fc.record({ type: fc.constant('salamander'), password: secret })),
    up: maybe(fc.constantFrom(1, 100)),
    down: maybe(fc.constantFrom(20, 100_000)),
    tls: quicTls,
  }),
  of('hysteria2', { tls: quicTls, 'hop-interval': maybe(fc.constantFrom(5, 30)) }).map((each) => ({
    ...each,
    port: 443,
    ports: [
      [443, 443],
      [5000, 6000],
    ],
  })),
  of('hysteria', {
    auth: maybe(secret),
    obfs: maybe(secret),
    up: fc.constantFrom(1, 100),
    down: fc.constantFrom(20, 100_000),
    tls: quicTls,
  }),
  of('tuic', {
    uuid,
    password: maybe(secret),
    congestion: maybe(fc.constantFrom(...congestionControls)),
    'udp-relay-mode': maybe(fc.constantFrom(...relayModes)),
    tls: quicTls,
  }),
  of('anytls', { password: secret, tls: tls.filter(({ reality }) => reality === undefined) }).map(
    (each) => ({ ...each, tfo: undefined }),
  ),
  of('http', { tls: maybe(httpTls) }, login),
  of('socks5', { udp }, login),
);

const network = fc.constantFrom('10.0.0.0/8', '192.0.2.1/32', '2001:db8::/32');
const conditions = fc.oneof(
  fc.record({
    type: fc.constantFrom('DOMAIN', 'DOMAIN-SUFFIX'),
    value: fc.constantFrom('a.example', 'b'),
  }),
  fc.record({ type: fc.constant('DOMAIN-KEYWORD'), value: fc.constantFrom('ad', 'x-y') }),
  fc.record({ type: fc.constant('IP-CIDR'), value: network, resolve: fc.boolean() }),
  fc.record({ type: fc.constant('GEOIP'), value: fc.constant('LAN'), resolve: fc.boolean() }),
  fc.record({ type: fc.constant('SRC-IP-CIDR'), value: network }),
  fc.record({ type: fc.constantFrom('DST-PORT', 'SRC-PORT'), value: port }),
  fc.record({
    type: fc.constant('PROCESS-NAME'),
    value: fc.constantFrom('curl', 'My App.exe', '1'),
  }),
  fc.record({ type: fc.constant('NETWORK'), value: fc.constantFrom('tcp', 'udp') }),
);

const nameserver = fc
  .record({
    type: fc.constantFrom('udp', 'tcp', 'tls', 'https', 'quic'),
    server: host,
    port: fc.constantFrom(53, 853, 443, 5353),
  })
  .map((each) => (each.type === 'https' ? { ...each, path: '/dns-query' } : each))
  .filter((each) => nameserverSchema.safeParse(each).success);
const resolver = { type: 'udp', server: '192.0.2.53', port: 53 };
const dns = fc.record({
  enable: fc.boolean(),
  nameserver: fc.array(nameserver, { minLength: 1, maxLength: 3 }),
  'default-nameserver': fc.constant(resolver),
});

/** Returns settings whose names are unique and whose references exist. */
export const settingsArbitrary: fc.Arbitrary<ProxySettings> = fc
  .record({
    names: fc.uniqueArray(name, { minLength: 5, maxLength: 8 }),
    proxies: fc.array(proxy, { minLength: 1, maxLength: 4 }),
    rules: fc.array(fc.tuple(conditions, fc.nat()), { maxLength: 6 }),
    last: fc.nat(),
    general: fc.record({
      port: fc.constantFrom(7890, 1),
      'socks-port': fc.constantFrom(7891, 65_535),
      'allow-lan': fc.boolean(),
      mode: fc.constantFrom(...modes),
      'log-level': fc.constantFrom(...logLevels),
      dns,
    }),
    test: fc.record({
      url: fc.constant('https://a.example/generate_204?x=1'),
      interval: fc.constantFrom(1, 300, 7200),
      tolerance: fc.constantFrom(1, 50),
    }),
    builtIn: fc.constantFrom('DIRECT', 'REJECT'),
  })
  .map(({ names, proxies, rules, last, general, test, builtIn }) => {
    const named = proxies.map((each, index) => ({ ...each, name: names[index] ?? '' }));
    const list = named.map((each) => each.name);
    const [tester = '', selector = ''] = names.slice(-2).map((each, index) => `${each}${index}`);
    const targets = [...list, tester, selector, 'DIRECT', 'REJECT'];
    const targetOf = (index: number) => targets[index % targets.length] ?? 'DIRECT';
    let resolves = false;
    const used = rules.map(([rule, index]) => {
      resolves ||= 'resolve' in rule && rule.resolve;
      return {
        ...rule,
        target: targetOf(index),
        ...('resolve' in rule ? { resolve: resolves } : {}),
      };
    });
    return {
      ...general,
      proxies: named,
      'proxy-groups': [
        { name: selector, type: 'select', proxies: [tester, ...list, builtIn] },
        { name: tester, type: 'url-test', proxies: list, ...test },
      ],
      rules: [...used, { type: 'MATCH', target: targetOf(last) }],
    };
  })
  .map((given) => settingsSchema.safeParse(given))
  .filter(({ success }) => success)
  .map(({ data }) => data as ProxySettings);
