import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { readProxies } from '#proxies/read-proxies.ts';

const uuid = '11111111-2222-4333-8444-555555555555';
/** A link of each protocol without TLS of its own, and with. */
const links = [
  `ss://${Buffer.from('aes-256-gcm:pw').toString('base64url')}@a.example:443`,
  `vmess://${uuid}@a.example:443`,
  `vless://${uuid}@a.example:443`,
  'trojan://pw@a.example:443',
  'anytls://pw@a.example:443',
  'hysteria://a.example:443?auth=pw&upmbps=1&downmbps=1',
  'hysteria2://pw@a.example:443',
  `tuic://${uuid}:pw@a.example:443`,
  'http://u:pw@a.example:443',
  'socks://u:pw@a.example:443',
];
const words = [
  ...[
    ['shadow', 'tls'],
    ['shadow', 'tls', 'password'],
    ['pinned', 'cert', 'sha256'],
    ['pin', 'sha256'],
  ],
  ...[
    ['ca', 'str'],
    ['client', 'cert'],
    ['private', 'key'],
    ['verify', 'peer', 'cert', 'by', 'name'],
  ],
  ...[
    ['restls', 'script'],
    ['plugin', 'opts'],
    ['dialer', 'proxy'],
    ['underlying', 'proxy'],
  ],
];
const spellings: readonly ((parts: readonly string[]) => string)[] = [
  (parts) => parts.join('-'),
  (parts) => parts.join('_'),
  (parts) => parts.join(''),
  (parts) => parts.join('-').toUpperCase(),
  ([first = '', ...rest]) =>
    first + rest.map((part) => part.replace(/^./, (letter) => letter.toUpperCase())).join(''),
];

/** Returns the number of proxies. */
function imported(text: string): number {
  try {
    return readProxies(Buffer.from(text), { file: 'x' }).settings.proxies.length;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'CONFIG_INVALID') return 0;
    throw error;
  }
}

describe('a key that may protect a connection', () => {
  it.each(links)('leaves out an entry instead of ignoring the key, in any spelling: %s', (link) => {
    expect(imported(link)).toBe(1);
    const keys = words.flatMap((parts) => spellings.map((spelling) => spelling(parts)));
    const join = link.includes('?') ? '&' : '?';
    const lost = keys.filter((key) => imported(`${link}${join}${key}=x`) > 0);
    expect(lost).toEqual([]);
  });

  it('does not leave out an entry for keys of other purposes', () => {
    const others = [
      'ping-interval',
      'skip-cert-verify',
      'verify_cert',
      'spx',
      'remarks',
      'mux',
      'fp',
    ];
    for (const key of others) expect(imported(`${links[3]}?${key}=x`)).toBe(1);
  });
});
