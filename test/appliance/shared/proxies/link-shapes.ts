/** Links as providers and programs write them. */

export const uuid = 'b831381d-6324-4d53-ad4f-8cda48b30811';
export const publicKey = 'jNXHt1yRo0vDuchQlIP6Z0ZvjT3KtzVI-T4E7RoLJS0';
/** Occurs in every link; no message may contain it. */
export const secret = 'S3cr3t-w0rd';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const urlSafe = (text: string) => Buffer.from(text).toString('base64url');
/** Returns a link of v2rayN. */
export const v2rayN = (fields: Record<string, unknown>, encode = base64) =>
  `vmess://${encode(JSON.stringify({ v: '2', ps: 'HK', add: 'hk.example', port: '443', id: uuid, aid: '0', net: 'tcp', type: 'none', ...fields }))}`;

const login = `aes-256-gcm:${secret}`;
const key16 = base64('0123456789abcdef');
const key32 = base64('0123456789abcdef0123456789abcdef');

export type Valid = readonly [what: string, link: string, expected: Record<string, unknown>];

const ssShapes: readonly Valid[] = [
  [
    'SIP002',
    `ss://${urlSafe(login)}@hk.example:8388#HK`,
    {
      type: 'ss',
      name: 'HK',
      server: 'hk.example',
      port: 8388,
      cipher: 'aes-256-gcm',
      password: secret,
      udp: true,
    },
  ],
  [
    'SIP002 with padding',
    `ss://${base64('aes-128-gcm:ab')}@hk.example:8388#HK`,
    { password: 'ab' },
  ],
  [
    'SIP002 with percent-encoded padding',
    `ss://${base64('aes-128-gcm:ab').replaceAll('=', '%3D')}@hk.example:8388#HK`,
    { password: 'ab' },
  ],
  [
    'SIP002 with a slash before the query',
    `ss://${urlSafe(login)}@hk.example:8388/?#HK`,
    { port: 8388 },
  ],
  [
    'SIP002 in plain text',
    `ss://2022-blake3-aes-128-gcm:${encodeURIComponent(key16)}@hk.example:8388#HK`,
    { password: key16 },
  ],
  [
    'two keys',
    `ss://2022-blake3-aes-128-gcm:${encodeURIComponent(`${key16}:${key16}`)}@hk.example:1#HK`,
    { password: `${key16}:${key16}` },
  ],
  [
    'a key of 32 bytes',
    `ss://${urlSafe(`2022-blake3-chacha20-poly1305:${key32}`)}@hk.example:1#HK`,
    { password: key32 },
  ],
  [
    'the old form',
    `ss://${base64(`${login}@hk.example:8388`)}#HK`,
    { server: 'hk.example', password: secret },
  ],
  [
    'the old form, url-safe',
    `ss://${urlSafe('rc4-md5:??>>@hk.example:8388')}#HK`,
    { cipher: 'rc4-md5', password: '??>>' },
  ],
  [
    'the old form with @ and : in the password',
    `ss://${base64('aes-256-gcm:a@b:c@hk.example:8388')}#HK`,
    { password: 'a@b:c', server: 'hk.example' },
  ],
  [
    'an alias of a method',
    `ss://${urlSafe('chacha20-poly1305:x')}@hk.example:1#HK`,
    { cipher: 'chacha20-ietf-poly1305' },
  ],
  [
    'an AEAD name of a method',
    `ss://${urlSafe('AEAD_CHACHA20_POLY1305:x')}@hk.example:1#HK`,
    { cipher: 'chacha20-ietf-poly1305' },
  ],
  [
    'a method in upper case',
    `ss://${urlSafe('AES-256-GCM:x')}@hk.example:1#HK`,
    { cipher: 'aes-256-gcm' },
  ],
  [
    'an emoji name',
    `ss://${urlSafe(login)}@hk.example:1#%F0%9F%87%AD%F0%9F%87%B0%20%E9%A6%99%E6%B8%AF`,
    { name: '🇭🇰 香港' },
  ],
  [
    'an emoji name that is not encoded',
    `ss://${urlSafe(login)}@hk.example:1#🇭🇰 香港`,
    { name: '🇭🇰 香港' },
  ],
  ['a joined emoji', `ss://${urlSafe(login)}@hk.example:1#👨‍👩‍👧`, { name: '👨‍👩‍👧' }],
  ['a literal % in the name', `ss://${urlSafe(login)}@hk.example:1#100% HK`, { name: '100% HK' }],
  ['a # in the name', `ss://${urlSafe(login)}@hk.example:1#HK#2`, { name: 'HK#2' }],
  ['a comma in the name', `ss://${urlSafe(login)}@hk.example:1#HK, 2`, { name: 'HK, 2' }],
  ['no name', `ss://${urlSafe(login)}@hk.example:8388`, { name: 'hk.example:8388' }],
  ['an empty name', `ss://${urlSafe(login)}@hk.example:8388#`, { name: 'hk.example:8388' }],
  ['a numeric name', `ss://${urlSafe(login)}@hk.example:8388#007`, { name: '007' }],
  ['IPv4', `ss://${urlSafe(login)}@192.0.2.1:8388#HK`, { server: '192.0.2.1' }],
  ['IPv6', `ss://${urlSafe(login)}@[2001:db8::1]:8388#HK`, { server: '2001:db8::1' }],
  [
    'IPv6 without a name',
    `ss://${urlSafe(login)}@[2001:DB8::1]:8388`,
    { name: '[2001:db8::1]:8388' },
  ],
  ['a host in upper case', `ss://${urlSafe(login)}@HK.Example:8388#HK`, { server: 'hk.example' }],
  ['a scheme in upper case', `SS://${urlSafe(login)}@hk.example:8388#HK`, { type: 'ss' }],
  [
    'simple-obfs',
    `ss://${urlSafe(login)}@hk.example:1/?plugin=obfs-local%3Bobfs%3Dhttp%3Bobfs-host%3Dcdn.example#HK`,
    { plugin: { type: 'obfs', mode: 'http', host: 'cdn.example' } },
  ],
  [
    'simple-obfs with tls',
    `ss://${urlSafe(login)}@hk.example:1?plugin=simple-obfs;obfs=tls;obfs-host=cdn.example#HK`,
    { plugin: { type: 'obfs', mode: 'tls', host: 'cdn.example' } },
  ],
  [
    'v2ray-plugin',
    `ss://${urlSafe(login)}@hk.example:1/?plugin=v2ray-plugin%3Btls%3Bhost%3Dcdn.example%3Bpath%3D%2Fx#HK`,
    { plugin: { type: 'v2ray-plugin', tls: true, host: 'cdn.example', path: '/x', mux: true } },
  ],
  [
    'v2ray-plugin without mux',
    `ss://${urlSafe(login)}@hk.example:1/?plugin=v2ray-plugin%3Bmode%3Dwebsocket%3Bmux%3D0#HK`,
    { plugin: { type: 'v2ray-plugin', tls: false, host: 'bing.com', path: '/', mux: false } },
  ],
  ['UDP over TCP', `ss://${urlSafe(login)}@hk.example:1/?uot=1#HK`, { 'udp-over-tcp': 1 }],
  ['a group', `ss://${urlSafe(login)}@hk.example:1/?group=VIP#HK`, { name: 'HK' }],
];

const vmessShapes: readonly Valid[] = [
  [
    'v2rayN',
    v2rayN({}),
    {
      type: 'vmess',
      name: 'HK',
      server: 'hk.example',
      port: 443,
      uuid,
      alterId: 0,
      cipher: 'auto',
    },
  ],
  ['numbers instead of texts', v2rayN({ port: 443, aid: 64, v: 2 }), { port: 443, alterId: 64 }],
  ['no version', v2rayN({ v: undefined }), { name: 'HK' }],
  ['no padding', v2rayN({ ps: 'HK1' }).replace(/=+$/, ''), { name: 'HK1' }],
  ['url-safe base64', v2rayN({ ps: '香港?>' }, urlSafe), { name: '香港?>' }],
  ['a cipher', v2rayN({ scy: 'aes-128-gcm' }), { cipher: 'aes-128-gcm' }],
  ['a UUID in upper case', v2rayN({ id: uuid.toUpperCase() }), { uuid }],
  ['null and empty fields', v2rayN({ host: '', path: '', tls: '', sni: null }), { name: 'HK' }],
  [
    'ws and tls',
    v2rayN({ net: 'ws', host: 'cdn.example', path: '/x', tls: 'tls' }),
    {
      tls: { 'server-name': 'cdn.example', insecure: false },
      transport: { type: 'ws', path: '/x', host: 'cdn.example' },
    },
  ],
  [
    'early data in the path',
    v2rayN({ net: 'ws', path: '/x?ed=2048' }),
    {
      transport: {
        type: 'ws',
        path: '/x',
        'max-early-data': 2048,
        'early-data-header': 'Sec-WebSocket-Protocol',
      },
    },
  ],
  [
    'early data beside another parameter',
    v2rayN({ net: 'ws', path: '/x?ed=2048&a=1' }),
    {
      transport: {
        type: 'ws',
        path: '/x?a=1',
        'max-early-data': 2048,
        'early-data-header': 'Sec-WebSocket-Protocol',
      },
    },
  ],
  [
    'a path without a slash',
    v2rayN({ net: 'ws', path: 'x' }),
    { transport: { type: 'ws', path: '/x' } },
  ],
  [
    'sni and alpn',
    v2rayN({ tls: 'tls', sni: 'a.example', alpn: 'h2,http/1.1', fp: 'chrome' }),
    {
      tls: {
        'server-name': 'a.example',
        insecure: false,
        alpn: ['h2', 'http/1.1'],
        fingerprint: 'chrome',
      },
    },
  ],
  [
    'tls without a name',
    v2rayN({ tls: 'tls' }),
    { tls: { 'server-name': 'hk.example', insecure: false } },
  ],
  [
    'grpc',
    v2rayN({ net: 'grpc', path: 'svc', type: 'gun', tls: 'tls' }),
    { transport: { type: 'grpc', service: 'svc' } },
  ],
  [
    'h2',
    v2rayN({ net: 'h2', host: 'a.example,b.example', path: '/x', tls: 'tls' }),
    { transport: { type: 'h2', path: '/x', hosts: ['a.example', 'b.example'] } },
  ],
  [
    'h2 without a host',
    v2rayN({ net: 'h2', tls: 'tls' }),
    { transport: { type: 'h2', path: '/', hosts: ['hk.example'] } },
  ],
  [
    'http obfuscation',
    v2rayN({ type: 'http', host: 'a.example', path: '/' }),
    { transport: { type: 'http', method: 'GET', path: '/', hosts: ['a.example'] } },
  ],
  [
    'httpupgrade',
    v2rayN({ net: 'httpupgrade', host: 'a.example', path: '/u' }),
    { transport: { type: 'httpupgrade', path: '/u', host: 'a.example' } },
  ],
  ['IPv6', v2rayN({ add: '2001:db8::1' }), { server: '2001:db8::1' }],
  [
    'insecure',
    v2rayN({ tls: 'tls', allowInsecure: true }),
    { tls: { 'server-name': 'hk.example', insecure: true } },
  ],
  ['no name', v2rayN({ ps: '' }), { name: 'hk.example:443' }],
  [
    'the URI form',
    `vmess://${uuid}@hk.example:443?encryption=auto&security=tls&type=ws&path=%2Fx#HK`,
    { uuid, cipher: 'auto', transport: { type: 'ws', path: '/x' } },
  ],
];

const vlessOf = (query: string) => `vless://${uuid}@hk.example:443?${query}#HK`;
const vlessShapes: readonly Valid[] = [
  ['plain', vlessOf('encryption=none'), { type: 'vless', uuid, udp: true }],
  [
    'tls',
    vlessOf('encryption=none&security=tls&sni=a.example'),
    { tls: { 'server-name': 'a.example', insecure: false } },
  ],
  ['no port', `vless://${uuid}@hk.example?security=tls#HK`, { port: 443 }],
  [
    'REALITY with vision',
    vlessOf(
      `security=reality&sni=a.example&fp=chrome&pbk=${publicKey}&sid=0123abcd&spx=%2F&flow=xtls-rprx-vision&type=tcp&headerType=none`,
    ),
    {
      flow: 'xtls-rprx-vision',
      tls: {
        'server-name': 'a.example',
        insecure: false,
        fingerprint: 'chrome',
        reality: { 'public-key': publicKey, 'short-id': '0123abcd' },
      },
    },
  ],
  [
    'REALITY without a fingerprint and short id',
    vlessOf(`security=reality&sni=a.example&pbk=${publicKey}&sid=`),
    {
      tls: {
        'server-name': 'a.example',
        insecure: false,
        fingerprint: 'chrome',
        reality: { 'public-key': publicKey },
      },
    },
  ],
  [
    'the transport raw',
    vlessOf('security=tls&type=raw'),
    { tls: { 'server-name': 'hk.example', insecure: false } },
  ],
  [
    'ws with encoded early data',
    vlessOf('type=ws&host=a.example&path=%2Fx%3Fed%3D2560'),
    {
      transport: {
        type: 'ws',
        path: '/x',
        host: 'a.example',
        'max-early-data': 2560,
        'early-data-header': 'Sec-WebSocket-Protocol',
      },
    },
  ],
  [
    'grpc',
    vlessOf('security=tls&type=grpc&serviceName=svc&mode=gun'),
    { transport: { type: 'grpc', service: 'svc' } },
  ],
  [
    'httpupgrade',
    vlessOf('security=tls&type=httpupgrade&path=%2Fu&host=a.example'),
    { transport: { type: 'httpupgrade', path: '/u', host: 'a.example' } },
  ],
  ['a packet encoding', vlessOf('packetEncoding=xudp'), { 'packet-encoding': 'xudp' }],
  [
    'insecure',
    vlessOf('security=tls&allowInsecure=1'),
    { tls: { 'server-name': 'hk.example', insecure: true } },
  ],
  [
    'encoded alpn',
    vlessOf('security=tls&alpn=h2%2Chttp%2F1.1'),
    { tls: { 'server-name': 'hk.example', insecure: false, alpn: ['h2', 'http/1.1'] } },
  ],
  [
    'IPv6',
    `vless://${uuid}@[2001:db8::1]:8443?security=tls&sni=a.example#HK`,
    { server: '2001:db8::1', port: 8443 },
  ],
];

const trojanOf = (user: string, query = '') => `trojan://${user}@hk.example:443${query}#HK`;
const trojanShapes: readonly Valid[] = [
  [
    'plain',
    trojanOf(secret),
    { type: 'trojan', password: secret, tls: { 'server-name': 'hk.example', insecure: false } },
  ],
  ['an encoded password', trojanOf('p%40ss%3Aw%2Frd%3F'), { password: 'p@ss:w/rd?' }],
  ['an @ that is not encoded', trojanOf('p@ss'), { password: 'p@ss' }],
  ['a + in the password', trojanOf('a+b'), { password: 'a+b' }],
  ['a Chinese password', trojanOf('%E5%AF%86%E7%A0%81'), { password: '密码' }],
  [
    'peer instead of sni',
    trojanOf(secret, '?peer=a.example'),
    { tls: { 'server-name': 'a.example', insecure: false } },
  ],
  [
    'ws',
    trojanOf(secret, '?security=tls&type=ws&host=a.example&path=%2Fx'),
    {
      tls: { 'server-name': 'a.example', insecure: false },
      transport: { type: 'ws', path: '/x', host: 'a.example' },
    },
  ],
  [
    'grpc',
    trojanOf(secret, '?type=grpc&serviceName=svc'),
    { transport: { type: 'grpc', service: 'svc' } },
  ],
  [
    'allowInsecure as a word',
    trojanOf(secret, '?allowInsecure=true'),
    { tls: { 'server-name': 'hk.example', insecure: true } },
  ],
  ['an empty query', trojanOf(secret, '?'), { password: secret }],
  [
    'a trailing &',
    trojanOf(secret, '?sni=a.example&'),
    { tls: { 'server-name': 'a.example', insecure: false } },
  ],
];

const hy2 = (rest: string) => `hysteria2://${secret}@hk.example${rest}#HK`;
const hysteriaShapes: readonly Valid[] = [
  ['plain', hy2(':443/'), { type: 'hysteria2', password: secret, port: 443 }],
  ['hy2', hy2(':443').replace('hysteria2', 'hy2'), { type: 'hysteria2' }],
  ['no port', hy2(''), { port: 443 }],
  ['no password', 'hy2://hk.example:8443#HK', { port: 8443 }],
  ['user and password', `hy2://me:${secret}@hk.example:443#HK`, { password: `me:${secret}` }],
  [
    'several ports',
    hy2(':443,5000-6000'),
    {
      port: 443,
      ports: [
        [443, 443],
        [5000, 6000],
      ],
    },
  ],
  ['mport', hy2(':443?mport=5000-6000'), { port: 5000, ports: [[5000, 6000]] }],
  [
    'obfuscation',
    hy2(':443?obfs=salamander&obfs-password=x%26y'),
    { obfs: { type: 'salamander', password: 'x&y' } },
  ],
  ['obfuscation none', hy2(':443?obfs=none'), { password: secret }],
  [
    'tls',
    hy2(':443?sni=a.example&insecure=1&alpn=h3'),
    { tls: { 'server-name': 'a.example', insecure: true, alpn: ['h3'] } },
  ],
  ['speeds', hy2(':443?upmbps=20&downmbps=100'), { up: 20, down: 100 }],
  ['IPv6', `hy2://${secret}@[2001:db8::1]:443#HK`, { server: '2001:db8::1' }],
];

export const validLinks: Readonly<Record<string, readonly Valid[]>> = {
  ss: ssShapes,
  vmess: vmessShapes,
  vless: vlessShapes,
  trojan: trojanShapes,
  hysteria2: hysteriaShapes,
};

/** Broken links, with a part of the message. */
export const brokenLinks: ReadonlyArray<readonly [what: string, link: string, message: string]> = [
  ['another type', `ssr://${secret}`, 'unknown type of link "ssr"'],
  ['juicity', `juicity://${uuid}:${secret}@hk.example:443#HK`, 'unknown type of link "juicity"'],
  ['a type that is a property of objects', `constructor://${secret}`, 'unknown type of link'],
  ['no link', secret, 'is not a link'],
  ['nothing after the scheme', 'ss://', 'no valid host and port'],
  ['no host', `trojan://${secret}@:443#HK`, 'no valid host and port'],
  ['a port of letters', `trojan://${secret}@hk.example:https#HK`, 'no valid host and port'],
  ['port 0', `trojan://${secret}@hk.example:0#HK`, 'port: must be a whole number from 1 to 65535'],
  ['port 65536', `trojan://${secret}@hk.example:65536#HK`, 'port: must be'],
  ['a list of ports', `trojan://${secret}@hk.example:443,444#HK`, 'port: must be'],
  ['a host with spaces', `trojan://${secret}@hk example:443#HK`, 'server: must be a host name'],
  ['a number as host', `trojan://${secret}@12345:443#HK`, 'server: must be a host name'],
  [
    'an incomplete IPv4 address',
    `trojan://${secret}@192.0.2:443#HK`,
    'server: must be a host name',
  ],
  ['invalid IPv6', `trojan://${secret}@[2001:db8:::1]:443#HK`, 'server: must be a host name'],
  ['IPv6 without brackets', `trojan://${secret}@2001:db8::1:443#HK`, 'no valid host and port'],
  ['a / in the password', `trojan://${secret}/x@hk.example:443#HK`, 'invalid address'],
  ['a ? in the password', `trojan://${secret}?x@hk.example:443#HK`, 'is missing'],
  [
    'an invalid % in the password',
    `trojan://${secret}%zz@hk.example:443#HK`,
    'password: is missing or not valid',
  ],
  [
    'an encoded line break in the password',
    `trojan://${secret}%0A@hk.example:443#HK`,
    'password: must not contain control',
  ],
  [
    'a very long link',
    `trojan://${secret}@hk.example:443?sni=${'x'.repeat(20_000)}#HK`,
    'more than 16384 characters',
  ],
  ['no password', 'trojan://hk.example:443#HK', 'password: is missing'],
  ['an empty password', 'trojan://@hk.example:443#HK', 'password: is missing'],
  ['no TLS', trojanOf(secret, '?security=none'), 'trojan needs TLS'],
  ['xtls', trojanOf(secret, '?security=xtls'), 'security: unknown value "xtls"'],
  ['a transport of Xray', trojanOf(secret, '?type=xhttp'), 'type: unknown value "xhttp"'],
  ['kcp', vlessOf('type=kcp'), 'type: unknown value "kcp"'],
  ['quic', v2rayN({ net: 'quic' }), 'net: unknown value "quic"'],
  ['an unknown parameter', trojanOf(secret, '?sni=a.example&foo=1'), 'unknown key "foo"'],
  ['a repeated parameter', trojanOf(secret, '?sni=a.example&sni=b.example'), 'repeated parameter'],
  ['an invalid % in a parameter', trojanOf(secret, '?sni=%zz'), 'invalid or repeated parameter'],
  ['an invalid flag', trojanOf(secret, '?allowInsecure=maybe'), 'allowInsecure: must be 0 or 1'],
  ['an unknown fingerprint', trojanOf(secret, '?fp=netscape'), 'fp: unknown fingerprint'],
  ['h2 for trojan', trojanOf(secret, '?type=h2'), 'transport: must be ws, grpc or httpupgrade'],
  ['a missing method', `ss://${urlSafe(secret)}@hk.example:8388#HK`, 'method and password'],
  [
    'a missing password of ss',
    `ss://${urlSafe('aes-256-gcm:')}@hk.example:8388#HK`,
    'method and password',
  ],
  [
    'exchanged method and password',
    `ss://${urlSafe(`${secret}:aes-256-gcm`)}@hk.example:8388#HK`,
    'method: unknown method',
  ],
  ['invalid base64', `ss://!!!${secret}@hk.example:8388#HK`, 'method and password'],
  [
    'base64 of bytes',
    `ss://${Buffer.from([0xff, 0xfe, 0x00]).toString('base64url')}@hk.example:8388#HK`,
    'method and password',
  ],
  ['the old form without a port', `ss://${base64(`${login}@hk.example`)}#HK`, 'port: is missing'],
  [
    'the old form, truncated',
    `ss://${base64(`${login}@hk.example:8388`).slice(0, 20)}#HK`,
    'no valid host and port',
  ],
  [
    'a short key',
    `ss://${urlSafe(`2022-blake3-aes-256-gcm:${key16}`)}@hk.example:1#HK`,
    'password: must be a key of the length',
  ],
  [
    'a key that is no base64',
    `ss://${urlSafe(`2022-blake3-aes-256-gcm:${secret}`)}@hk.example:1#HK`,
    'password: must be a key of the length',
  ],
  [
    'two keys for ChaCha20',
    `ss://${urlSafe(`2022-blake3-chacha20-poly1305:${key32}:${key32}`)}@hk.example:1#HK`,
    'password: must be a key',
  ],
  [
    'an unknown plugin',
    `ss://${urlSafe(login)}@hk.example:1/?plugin=kcptun%3Bkey%3D${secret}#HK`,
    'plugin: unknown plugin',
  ],
  [
    'an unknown option of a plugin',
    `ss://${urlSafe(login)}@hk.example:1/?plugin=obfs-local%3Bfoo%3D${secret}#HK`,
    'plugin: unknown option',
  ],
  [
    'a plugin over QUIC',
    `ss://${urlSafe(login)}@hk.example:1/?plugin=v2ray-plugin%3Bmode%3Dquic#HK`,
    'plugin: mode must be websocket',
  ],
  [
    'a link of Shadowrocket with the former XTLS',
    `vless://${base64(`auto:${uuid}@hk.example:443`)}?remarks=HK&tls=1&xtls=1`,
    'xtls: not supported',
  ],
  ['truncated base64', v2rayN({}).slice(0, 60), 'not JSON in base64'],
  ['JSON that is a list', `vmess://${base64('[1]')}`, 'not JSON in base64'],
  ['an older version', v2rayN({ v: '1' }), 'v: not supported'],
  ['no address', v2rayN({ add: '' }), 'add: is missing'],
  ['an invalid port', v2rayN({ port: '443x' }), 'port: must be a whole number'],
  ['a fractional port', v2rayN({ port: 443.5 }), 'port: must be a whole number'],
  ['an invalid UUID', v2rayN({ id: secret }), 'id: is no UUID'],
  ['an unknown cipher', v2rayN({ scy: 'rot13' }), 'scy: unknown value "rot13"'],
  ['an unknown key', v2rayN({ foo: 1 }), 'unknown key "foo"'],
  ['an object as a value', v2rayN({ host: { a: 1 } }), 'host: must be a text'],
  [
    'an unknown mode of grpc',
    v2rayN({ net: 'grpc', type: 'raw', tls: 'tls' }),
    'mode: unknown value',
  ],
  ['a UUID with a wrong length', `vless://${uuid.slice(1)}@hk.example:443#HK`, 'UUID: is no UUID'],
  ['encryption', vlessOf(`encryption=${secret}`), 'encryption: not supported'],
  [
    'an old flow',
    vlessOf('security=tls&flow=xtls-rprx-direct'),
    'flow: unknown value "xtls-rprx-direct"',
  ],
  ['vision without TLS', vlessOf('flow=xtls-rprx-vision'), 'flow: needs TLS'],
  [
    'vision with ws',
    vlessOf('security=tls&flow=xtls-rprx-vision&type=ws'),
    'flow: needs TLS and no transport',
  ],
  ['REALITY without a key', vlessOf('security=reality&sni=a.example'), 'tls.reality.public-key'],
  [
    'REALITY with a wrong short id',
    vlessOf(`security=reality&sni=a.example&pbk=${publicKey}&sid=xyz`),
    'tls.reality.short-id: must have',
  ],
  [
    'a path with an invalid percent-encoding',
    vlessOf('type=ws&path=%2Fa%25zz'),
    'transport.path: has an invalid percent-encoding',
  ],
  ['a header type', vlessOf('type=tcp&headerType=srtp'), 'headerType: unknown value'],
  ['a pinned certificate', hy2(':443?pinSHA256=ab'), 'pinSHA256: not supported'],
  ['obfuscation without a password', hy2(':443?obfs=salamander'), 'obfs-password: is missing'],
  ['unknown obfuscation', hy2(':443?obfs=xplus'), 'obfs: unknown value "xplus"'],
  ['a range of ports in the wrong order', hy2(':6000-5000'), 'port: must be ports'],
];
