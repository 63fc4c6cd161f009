import { describe, expect, it } from 'vitest';
import { readProxies } from '#proxies/read-proxies.ts';
import { errorOf } from '../../../../setup/landfall-error.ts';

const hk = {
  type: 'trojan',
  tag: 'HK',
  server: 'hk.example',
  server_port: 443,
  password: 'x',
  tls: { enabled: true },
};
const uuid = 'b831381d-6324-4d53-ad4f-8cda48b30811';

const read = (value: unknown) =>
  readProxies(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), {
    file: 'config.json',
    strict: true,
  });
const proxyOf = (fields: object) =>
  read({ outbounds: [{ tag: 'HK', server: 'hk.example', server_port: 443, ...fields }] }).settings
    .proxies[0];

const failure = (value: unknown) => errorOf(() => read(value));

describe('a configuration of sing-box', () => {
  it.each([
    [
      { type: 'shadowsocks', method: 'aes-128-gcm', password: 'x' },
      { type: 'ss', udp: true },
    ],
    [{ type: 'shadowsocks', method: 'aes-128-gcm', password: 'x', network: 'tcp' }, { udp: false }],
    [
      { type: 'shadowsocks', method: 'none', password: 'x', udp_over_tcp: true },
      { 'udp-over-tcp': 2 },
    ],
    [
      {
        type: 'shadowsocks',
        method: 'none',
        password: 'x',
        plugin: 'obfs-local',
        plugin_opts: 'obfs=http;obfs-host=a.example',
      },
      { plugin: { type: 'obfs', mode: 'http', host: 'a.example' } },
    ],
    [{ type: 'vmess', uuid, security: 'zero', alter_id: 0 }, { cipher: 'zero' }],
    [
      { type: 'vless', uuid, tls: { enabled: true }, transport: { type: 'http', path: '/a' } },
      { transport: { type: 'h2', path: '/a', hosts: ['hk.example'] } },
    ],
    [
      { type: 'vless', uuid, transport: { type: 'http', host: 'A.example' } },
      { transport: { type: 'http', method: 'GET', path: '/', hosts: ['a.example'] } },
    ],
    [
      { type: 'vless', uuid, transport: { type: 'ws', headers: { Host: ['a.example'] } } },
      { transport: { type: 'ws', path: '/', host: 'a.example' } },
    ],
    [
      { type: 'trojan', password: 'x', tls: { enabled: true, utls: { enabled: true } } },
      { tls: { 'server-name': 'hk.example', insecure: false, fingerprint: 'chrome' } },
    ],
    [
      {
        type: 'hysteria2',
        password: 'x',
        server_ports: ['443:500', ':9'],
        hop_interval: '1m',
        tls: { enabled: true },
      },
      {
        ports: [
          [443, 500],
          [1, 9],
        ],
        'hop-interval': 60,
      },
    ],
    [{ type: 'http', username: 'a', password: 'b' }, { username: 'a' }],
    [{ type: 'socks', version: '5', multiplex: { enabled: false } }, { type: 'socks5' }],
  ])('reads a proxy from a configuration of sing-box: %j', (fields, expected) => {
    expect(proxyOf(fields)).toMatchObject(expected);
  });

  it('reads a configuration of sing-box with comments, trailing commas and older formats', () => {
    const { settings, report } = read(`// my proxies
{
  "dns": { "servers": [{ "tag": "a", "address": "https://dns.example/dns-query" }, { "tag": "b", "address": "local" }] },
  "inbounds": [{ "type": "mixed", "listen_port": 2080 }],
  "outbounds": [
    ${JSON.stringify(hk)}, // fast
    { "type": "selector", "tag": "Proxy", "outbounds": ["HK", "direct-out"] },
    { "type": "direct", "tag": "direct-out" }, { "type": "block", "tag": "no" }, { "type": "dns", "tag": "dns-out" },
  ],
  "route": {
    "rules": [
      { "protocol": "dns", "outbound": "dns-out" },
      { "domain_suffix": ["a.example", "b.example"], "ip_is_private": true, "outbound": "direct-out" },
      { "domain": "ads.example", "outbound": "no" },
    ],
    "final": "Proxy",
  },
}`);
    expect(settings['proxy-groups']).toMatchObject([{ name: 'Proxy', proxies: ['HK', 'DIRECT'] }]);
    expect(settings.rules).toEqual([
      { type: 'GEOIP', value: 'LAN', target: 'DIRECT', resolve: false },
      { type: 'DOMAIN-SUFFIX', value: 'a.example', target: 'DIRECT' },
      { type: 'DOMAIN-SUFFIX', value: 'b.example', target: 'DIRECT' },
      { type: 'DOMAIN', value: 'ads.example', target: 'REJECT' },
      { type: 'MATCH', target: 'Proxy' },
    ]);
    expect(settings.dns).toMatchObject({
      enable: true,
      nameserver: [{ type: 'https', server: 'dns.example' }],
    });
    expect(report.ignored.details.map(({ line }) => line)).toEqual(expect.arrayContaining([4, 8]));
  });
});

describe('a broken configuration of sing-box is rejected with its line', () => {
  const outbound = (fields: object) =>
    `{ "outbounds": [\n${JSON.stringify(hk)},\n${JSON.stringify({ tag: 'JP', server: 'jp.example', server_port: 443, ...fields })}\n] }`;
  const route = (rule: object) =>
    `{ "outbounds": [${JSON.stringify(hk)}],\n"route": { "rules": [\n${JSON.stringify(rule)}\n] } }`;

  it.each([
    ['an unknown type', outbound({ type: 'naive' }), 3, 'type: unknown value "naive"'],
    ['no type', outbound({}), 3, 'type: is missing'],
    [
      'an unknown key',
      outbound({ type: 'trojan', password: 'x', tls: { enabled: true }, foo: 1 }),
      3,
      'unknown key "foo"',
    ],
    ['trojan without TLS', outbound({ type: 'trojan', password: 'x' }), 3, 'tls'],
    ['a detour', outbound({ type: 'socks', detour: 'HK' }), 3, 'detour: not supported'],
    ['SOCKS4', outbound({ type: 'socks', version: '4' }), 3, 'version: unknown value'],
    [
      'QUIC as transport',
      outbound({ type: 'vless', uuid, transport: { type: 'quic' } }),
      3,
      'type: unknown value "quic"',
    ],
    [
      'multiplexing',
      outbound({ type: 'socks', multiplex: { enabled: true } }),
      3,
      'multiplex: not supported',
    ],
    [
      'a certificate',
      outbound({ type: 'trojan', password: 'x', tls: { enabled: true, certificate: 'x' } }),
      3,
      'certificate: not supported',
    ],
    ['UDP only', outbound({ type: 'socks', network: 'udp' }), 3, 'network: unknown value'],
    [
      'a text as a port',
      outbound({ type: 'socks', server_port: 'https' }),
      3,
      'server_port: must be',
    ],
    [
      'a rule that needs a database',
      route({ geoip: 'cn', outbound: 'HK' }),
      3,
      'geoip: needs a database',
    ],
    ['a rule set', route({ rule_set: 'a', outbound: 'HK' }), 3, 'rule_set: needs a database'],
    [
      'a rule with two conditions',
      route({ domain: 'a.example', port: 443, outbound: 'HK' }),
      3,
      'the rule joins conditions',
    ],
    ['a rule without a condition', route({ outbound: 'HK' }), 3, 'the rule has no condition'],
    [
      'a rule with an unknown condition',
      route({ wifi_ssid: 'x', outbound: 'HK' }),
      3,
      'unknown key "wifi_ssid"',
    ],
    [
      'a rule with an unknown target',
      route({ domain: 'a.example', outbound: 'JP' }),
      3,
      'no proxy or group has the name JP',
    ],
    [
      'an unknown action',
      route({ domain: 'a.example', action: 'bypass' }),
      3,
      'action: not supported',
    ],
    ['a duplicate key', `{ "outbounds": [],\n\n"outbounds": [] }`, 3, 'duplicate'],
    ['a missing comma', `{ "log": {}\n\n"outbounds": [] }`, 3, 'comma expected'],
    ['a key that hides others', `{\n\n"__proto__": {}, "outbounds": [] }`, 3, 'forbidden key'],
    ['deep nesting', `{ "outbounds":\n\n${'['.repeat(100)}${']'.repeat(100)} }`, 3, 'nested'],
  ])('%s', (_what, text, line, message) => {
    const { problems } = failure(text);
    expect(problems.map((problem) => problem.message).join('\n')).toContain(message);
    expect(problems.map((problem) => problem.line)).toContain(line);
  });
});
