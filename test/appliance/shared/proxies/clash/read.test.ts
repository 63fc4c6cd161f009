import { describe, expect, it } from 'vitest';
import { formatError } from '#contract/text/error.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { errorOf } from '../../../../setup/landfall-error.ts';

const secret = 'S3cr3t-w0rd';
const uuid = 'b831381d-6324-4d53-ad4f-8cda48b30811';
const hk = `{name: HK, type: ss, server: hk.example, port: 8388, cipher: aes-256-gcm, password: ${secret}}`;

const read = (text: string | Buffer) =>
  readProxies(Buffer.from(text), { file: 'clash.yaml', strict: true });
const proxyOf = (fields: string) =>
  read(`proxies:\n  - {name: HK, server: hk.example, port: 443, ${fields}}\n`).settings.proxies[0];

const failure = (text: string | Buffer) => errorOf(() => read(text));

describe('a configuration of Clash or mihomo', () => {
  it('reads the fields of SPEC 2.1 from a configuration of Clash or mihomo', () => {
    const { settings, format } = read(`
port: 7890
socks-port: 7891
allow-lan: true
mode: Rule
log-level: info
proxies:
  - name: "HK"
    type: ss
    server: hk.example
    port: 8388
    cipher: aes-256-gcm
    password: ${secret}
proxy-groups:
  - name: Proxy
    type: select
    proxies: [HK]
rules:
  - MATCH,Proxy
dns:
  enable: true
  nameserver: [192.0.2.53, 'tls://dns.example']
`);
    expect(format).toBe('mihomo');
    expect(settings).toEqual({
      ...{ port: 7890, 'socks-port': 7891, 'allow-lan': true, mode: 'rule', 'log-level': 'info' },
      proxies: [
        {
          name: 'HK',
          type: 'ss',
          server: 'hk.example',
          port: 8388,
          cipher: 'aes-256-gcm',
          password: secret,
          udp: false,
        },
      ],
      'proxy-groups': [{ name: 'Proxy', type: 'select', proxies: ['HK'] }],
      rules: [{ type: 'MATCH', target: 'Proxy' }],
      dns: {
        enable: true,
        nameserver: [
          { type: 'udp', server: '192.0.2.53', port: 53 },
          { type: 'tls', server: 'dns.example', port: 853 },
        ],
      },
    });
  });

  it.each<[string, string | Buffer]>([
    ['with a byte order mark', `\ufeffproxies: [${hk}]\n`],
    ['with Windows line breaks', `proxies:\r\n  - ${hk}\r\n`],
    ['with trailing comments', `proxies: # all\n  - ${hk} # fast\n`],
    ['with tabs between tokens', `proxies:\n  -\t${hk}\n`],
    [
      'as JSON',
      JSON.stringify({
        proxies: [
          {
            name: 'HK',
            type: 'ss',
            server: 'hk.example',
            port: 8388,
            cipher: 'aes-256-gcm',
            password: secret,
          },
        ],
      }),
    ],
    [
      'with a merge',
      `x: &x {type: ss, cipher: aes-256-gcm}\nproxies:\n  - {<<: *x, name: HK, server: hk.example, port: 8388, password: ${secret}}\n`.replace(
        'x: &x',
        'profile: &x',
      ),
    ],
    ['with a numeric text as port', `proxies: [${hk.replace('8388', '"8388"')}]`],
    ['with a document marker', `---\nproxies: [${hk}]\n`],
  ])('imports a configuration of Clash or mihomo %s', (_what, text) => {
    expect(read(text).settings.proxies).toMatchObject([
      { name: 'HK', port: 8388, password: secret },
    ]);
  });

  it.each([
    ['password: 0123, type: trojan', { password: '0123' }],
    ['password: 1e5, type: trojan', { password: '1e5' }],
    ['password: true, type: trojan', { password: 'true' }],
    ['password: "1_000", type: trojan', { password: '1_000' }],
    [
      'password: x, type: trojan, sni: a.example, skip-cert-verify: true',
      { tls: { 'server-name': 'a.example', insecure: true } },
    ],
    [
      `type: vmess, uuid: ${uuid}, alterId: "0", cipher: auto`,
      { alterId: 0, cipher: 'auto', udp: false },
    ],
    [
      `type: vmess, uuid: ${uuid}, tls: true, servername: a.example, client-fingerprint: chrome`,
      { tls: { 'server-name': 'a.example', insecure: false, fingerprint: 'chrome' } },
    ],
    [
      `type: vmess, uuid: ${uuid}, network: ws, ws-path: /x, ws-headers: {Host: a.example}`,
      { transport: { type: 'ws', path: '/x', host: 'a.example' } },
    ],
    [
      `type: vmess, uuid: ${uuid}, network: ws, ws-opts: {path: '/x?ed=2048', headers: {host: a.example}}`,
      {
        transport: {
          type: 'ws',
          path: '/x',
          host: 'a.example',
          'max-early-data': 2048,
          'early-data-header': 'Sec-WebSocket-Protocol',
        },
      },
    ],
    [
      `type: vmess, uuid: ${uuid}, network: ws, ws-opts: {path: /u, v2ray-http-upgrade: true}`,
      { transport: { type: 'httpupgrade', path: '/u' } },
    ],
    [
      `type: vmess, uuid: ${uuid}, network: http, http-opts: {path: [/a], headers: {Host: [a.example], Connection: [keep-alive]}}`,
      { transport: { type: 'http', method: 'GET', path: '/a', hosts: ['a.example'] } },
    ],
    [
      `type: vmess, uuid: ${uuid}, network: h2, tls: true, h2-opts: {path: /a, host: [a.example]}`,
      { transport: { type: 'h2', path: '/a', hosts: ['a.example'] } },
    ],
    [
      `type: vmess, uuid: ${uuid}, network: grpc, tls: true, grpc-opts: {grpc-service-name: svc}`,
      { transport: { type: 'grpc', service: 'svc' } },
    ],
    [
      `type: vless, uuid: ${uuid}, tls: true, flow: xtls-rprx-vision, servername: a.example, reality-opts: {public-key: jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0, short-id: 0123}`,
      {
        flow: 'xtls-rprx-vision',
        tls: {
          'server-name': 'a.example',
          insecure: false,
          fingerprint: 'chrome',
          reality: {
            'public-key': 'jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0',
            'short-id': '0123',
          },
        },
      },
    ],
    [`type: vless, uuid: ${uuid}, xudp: true`, { 'packet-encoding': 'xudp' }],
    [
      'type: hysteria2, password: x, ports: "443-500,600", up: 30 Mbps, down: "1 Gbps"',
      {
        port: 443,
        ports: [
          [443, 500],
          [600, 600],
        ],
        up: 30,
        down: 1000,
      },
    ],
    [
      'type: hysteria2, auth: x, obfs: salamander, obfs-password: y',
      { password: 'x', obfs: { type: 'salamander', password: 'y' } },
    ],
    [
      'type: http, username: me, password: x, tls: true',
      { username: 'me', tls: { 'server-name': 'hk.example', insecure: false } },
    ],
    ['type: socks5, udp: true', { udp: true }],
    [
      'type: ss, cipher: AES-128-GCM, password: x, plugin: obfs, plugin-opts: {mode: tls, host: a.example}',
      { plugin: { type: 'obfs', mode: 'tls', host: 'a.example' } },
    ],
    [
      'type: ss, cipher: aes-128-gcm, password: x, plugin: v2ray-plugin, plugin-opts: {mode: websocket, tls: true, host: a.example, path: /x}',
      { plugin: { type: 'v2ray-plugin', tls: true, host: 'a.example', path: '/x', mux: true } },
    ],
    [
      'type: ss, cipher: aes-128-gcm, password: x, udp-over-tcp: true, smux: {enabled: false, protocol: smux}',
      { 'udp-over-tcp': 1 },
    ],
    ['type: trojan, password: x, tfo: true, mptcp: false, ip-version: dual', { tfo: true }],
  ])('reads the proxy {%s} from a configuration of Clash or mihomo', (fields, expected) => {
    expect(proxyOf(fields)).toMatchObject(expected);
  });
});

describe('a broken configuration is rejected with its line', () => {
  const proxies = (fields: string) =>
    `proxies:\n  - ${hk}\n  - {name: JP, server: jp.example, port: 443, ${fields}}\n`;

  it.each([
    ['an unknown type', proxies('type: ssr'), 3, 'type: unknown value "ssr"'],
    ['no type', proxies('udp: true'), 3, 'type: is missing'],
    ['an unknown key', proxies('type: trojan, password: x, foo: 1'), 3, 'unknown key "foo"'],
    ['a missing password', proxies('type: trojan'), 3, 'password: is missing'],
    ['an invalid flag', proxies('type: socks5, udp: yes'), 3, 'udp: must be true or false'],
    ['a list as password', proxies('type: trojan, password: [x]'), 3, 'password: must be a text'],
    [
      'another transport',
      proxies(`type: vless, uuid: ${uuid}, network: xhttp`),
      3,
      'network: unknown value "xhttp"',
    ],
    [
      'a header that only mihomo supports',
      proxies(`type: vmess, uuid: ${uuid}, network: ws, ws-opts: {headers: {User-Agent: x}}`),
      3,
      'unknown key "User-Agent"',
    ],
    [
      'multiplexing',
      proxies('type: trojan, password: x, smux: {enabled: true}'),
      3,
      'smux: not supported',
    ],
    [
      'a chain of proxies',
      proxies('type: trojan, password: x, dialer-proxy: HK'),
      3,
      'dialer-proxy: not supported',
    ],
    [
      'a plugin that sing-box does not have',
      proxies('type: ss, cipher: aes-128-gcm, password: x, plugin: shadow-tls'),
      3,
      'plugin: unknown value "shadow-tls"',
    ],
    [
      'a cipher that sing-box does not have',
      proxies('type: ss, cipher: aes-128-ccm, password: x'),
      3,
      'cipher: unknown value "aes-128-ccm"',
    ],
    ['TLS for SOCKS5', proxies('type: socks5, tls: true'), 3, 'tls: not supported'],
    ['a duplicate name', `proxies:\n  - ${hk}\n  - ${hk}\n`, 3, 'duplicate name HK'],
    ['a duplicate key', `proxies:\n  - ${hk}\nproxies: []\n`, 3, 'duplicate key proxies'],
    ['a proxy that is a text', `proxies:\n  - ${hk}\n  - HK\n`, 3, 'proxies: must be a map'],
    ['an unknown setting', `proxies:\n  - ${hk}\nfoo: 1\n`, 3, 'unknown key "foo"'],
    [
      'a setting that changes the traffic',
      `proxies:\n  - ${hk}\nrule-providers: {a: {type: http}}\n`,
      3,
      'rule-providers: not supported',
    ],
    ['an unknown mode', `proxies:\n  - ${hk}\nmode: script\n`, 3, 'mode: unknown value "script"'],
    ['a port that is too large', `proxies:\n  - ${hk}\nport: 70000\n`, 3, 'port: must be'],
    [
      'an unknown type of group',
      `proxies:\n  - ${hk}\nproxy-groups: [{name: A, type: fallback, proxies: [HK]}]\n`,
      3,
      'type: unknown value "fallback"',
    ],
    [
      'a group with providers',
      `proxies:\n  - ${hk}\nproxy-groups: [{name: A, type: select, use: [p]}]\n`,
      3,
      'use: not supported',
    ],
    [
      'an empty group',
      `proxies:\n  - ${hk}\nproxy-groups: [{name: A, type: select, proxies: []}]\n`,
      3,
      'proxies: must not be empty',
    ],
    [
      'a group with an unknown member',
      `proxies:\n  - ${hk}\nproxy-groups: [{name: A, type: select, proxies: [JP]}]\n`,
      3,
      'no proxy or group has the name JP',
    ],
    [
      'a group that contains itself',
      `proxies:\n  - ${hk}\nproxy-groups: [{name: A, type: select, proxies: [A]}]\n`,
      3,
      'the group A contains itself',
    ],
    [
      'a rule with an unknown type',
      `proxies:\n  - ${hk}\nrules: ['DOMAIN-FOO,a,HK']\n`,
      3,
      'unknown rule type "DOMAIN-FOO"',
    ],
    [
      'a rule that needs a database',
      `proxies:\n  - ${hk}\nrules: ['GEOIP,CN,DIRECT']\n`,
      3,
      'needs a database',
    ],
    [
      'a rule with an unknown target',
      `proxies:\n  - ${hk}\nrules: ['DOMAIN,a.example,JP']\n`,
      3,
      'no proxy or group has the name JP',
    ],
    [
      'a rule without a target',
      `proxies:\n  - ${hk}\nrules: ['DOMAIN,a.example']\n`,
      3,
      'rule DOMAIN: target',
    ],
    [
      'a rule with an invalid network',
      `proxies:\n  - ${hk}\nrules: ['IP-CIDR,10.0.0.0/33,HK']\n`,
      3,
      'rule IP-CIDR: value',
    ],
    [
      'a rule with a wildcard',
      `proxies:\n  - ${hk}\nrules: ['DOMAIN-SUFFIX,*.a.example,HK']\n`,
      3,
      'rule DOMAIN-SUFFIX: value must be a domain',
    ],
    [
      'a rule after MATCH',
      `proxies:\n  - ${hk}\nrules: ['MATCH,HK', 'DOMAIN,a.example,HK']\n`,
      3,
      'MATCH must be the last rule',
    ],
    [
      'an unknown DNS server',
      `proxies:\n  - ${hk}\ndns: {enable: true, nameserver: ['dhcp://en0']}\n`,
      3,
      'nameserver: not supported',
    ],
    [
      'an unknown setting of DNS',
      `proxies:\n  - ${hk}\ndns: {enable: true, foo: 1}\n`,
      3,
      'unknown key "foo"',
    ],
    ['an alias without an anchor', `proxies:\n  - ${hk}\n  - *x\n`, 3, 'the alias has no anchor'],
    ['a tag', `proxies:\n  - ${hk}\nport: !!int 1\n`, 3, 'a tag'],
    ['a tab as indentation', `proxies:\n  - ${hk}\n\t- x\n`, 3, 'tab'],
    [
      'an invisible character',
      `proxies:\n  - ${hk}\nport: 1\u202e\n`,
      3,
      'invisible character U+202E',
    ],
    ['a second document', `proxies:\n  - ${hk}\n---\nport: 1\n`, 3, 'a second document'],
  ])('%s', (_what, text, line, message) => {
    const { problems } = failure(text);
    expect(problems.map((problem) => problem.message).join('\n')).toContain(message);
    expect(problems.map((problem) => problem.line)).toContain(line);
    expect(formatError(failure(text))).not.toContain(secret);
  });

  it('reports the problems of all parts at once', () => {
    const text = `mode: x\nproxies:\n  - {name: A, type: x}\nproxy-groups:\n  - {name: B, type: y}\nrules:\n  - Z\n`;
    expect(failure(text).problems.map(({ line }) => line)).toEqual([1, 3, 5, 7]);
  });

  it.each([
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d]\n`,
      'CONFIG_SYNTAX',
    ],
    ['deep nesting', `proxies: ${'['.repeat(100)}`, 'CONFIG_SYNTAX'],
    ['more than 4 MB', `#${'x'.repeat(4 << 20)}`, 'CONFIG_TOO_LARGE'],
    [
      'more than 5000 proxies',
      `proxies:\n${Array.from({ length: 5001 }, (_, index) => `  - {name: n${index}, type: socks5, server: a.example, port: 1}\n`).join('')}`,
      'CONFIG_INVALID',
    ],
    ['another encoding', Buffer.from([0xc4, 0xe3]), 'CONFIG_ENCODING'],
    ['a web page', '<!doctype html><title>Login</title>', 'CONFIG_INVALID'],
    ['no proxies', 'port: 7890\n', 'CONFIG_INVALID'],
    ['an empty list of proxies', 'proxies: []\n', 'CONFIG_INVALID'],
    ['nothing', '', 'CONFIG_INVALID'],
  ])('%s', (_what, text, code) => {
    expect(failure(text).code).toBe(code);
  });
});

describe('settings of the program that wrote the file', () => {
  it('names the settings of the program that wrote the file with their lines', () => {
    const { report } = read(
      `mixed-port: 7890\nexternal-controller: 127.0.0.1:9090\nproxies: [${hk}]\n`,
    );
    expect(report.ignored.details.map(({ line, message }) => [line, message])).toEqual([
      [1, 'mixed-port: not imported'],
      [2, 'external-controller: not imported'],
    ]);
  });
});

describe('entries that are left out', () => {
  it('removes entries that are left out from groups and rules, and lists everything', () => {
    const text = `proxies:\n  - ${hk}\n  - {name: JP, type: ssr}\nproxy-groups:\n  - {name: A, type: select, proxies: [HK, JP]}\n  - {name: B, type: select, proxies: [JP]}\nrules:\n  - DOMAIN,a.example,B\n  - MATCH,A\n`;
    const { settings, report } = readProxies(Buffer.from(text), { file: 'x' });
    expect(settings['proxy-groups']).toEqual([{ name: 'A', type: 'select', proxies: ['HK'] }]);
    // A rule whose group is left out must not become a direct connection.
    expect(settings.rules).toEqual([
      { type: 'DOMAIN', value: 'a.example', target: 'A' },
      { type: 'MATCH', target: 'A' },
    ]);
    const { proxy, group, rule } = report.leftOut;
    expect([proxy, group, rule].map(({ details }) => details.map(({ line }) => line))).toEqual([
      [3],
      [6],
      [],
    ]);
  });
});
