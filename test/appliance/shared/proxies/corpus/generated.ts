/** Sources that are too large for a file: bombs, long lines and lists above a limit. */
type Generated = readonly [what: string, text: string, code: string, message: string];

const proxy = (name: string, more = '') =>
  `  - {name: ${name}, type: socks5, server: a.example, port: 1${more}}\n`;
const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

/** Returns aliases that expand to 9 to the power of their number of values. */
function aliasBomb(levels: number): string {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]\n'];
  for (let level = 1; level < levels; level += 1) {
    const alias = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => alias).join(',')}]\n`);
  }
  return lines.join('');
}

/** Sources that are rejected, with the code and a part of the first problem or of the message. */
export const generatedCases: readonly Generated[] = [
  ['an alias bomb', aliasBomb(9), 'CONFIG_SYNTAX', 'expand into too much data'],
  [
    'an alias bomb of merges',
    `proxies:\n${proxy('a', ', x: &x {}').replace('&x {}', '&x {k: v}')}${many(6000, () => '  - {<<: *x}\n')}`,
    'CONFIG_SYNTAX',
    'expand into too much data',
  ],
  ['an alias of itself', 'proxies: &a [*a]\n', 'CONFIG_SYNTAX', 'contains itself'],
  ['deep lists of YAML', `proxies: ${'['.repeat(10_000)}`, 'CONFIG_SYNTAX', 'nested more than'],
  ['deep maps of YAML', `proxies: ${'{a: '.repeat(10_000)}`, 'CONFIG_SYNTAX', 'nested more than'],
  ['deep keys of YAML', `${'? '.repeat(100_000)}`, 'CONFIG_SYNTAX', 'nested more than'],
  [
    'deep dashes of YAML',
    `proxies:\n${'- '.repeat(100_000)}x`,
    'CONFIG_SYNTAX',
    'nested more than',
  ],
  [
    'deep lists of JSON',
    `{"outbounds": ${'['.repeat(100_000)}`,
    'CONFIG_SYNTAX',
    'nested more than',
  ],
  ['deep objects of JSON', '{"a":'.repeat(100_000), 'CONFIG_SYNTAX', 'nested more than'],
  [
    'a link of a million characters',
    `trojan://x@hk.example:443\ntrojan://${'x'.repeat(1_000_000)}@hk.example:443`,
    'CONFIG_INVALID',
    'more than 16384 characters',
  ],
  [
    'a base64 text of a million characters in a link',
    `vmess://${Buffer.from(`{"ps":"${'x'.repeat(700_000)}"}`).toString('base64')}`,
    'CONFIG_INVALID',
    'more than 16384 characters',
  ],
  ['a million empty lines', '\n'.repeat(1_000_000), 'CONFIG_INVALID', 'no proxies found'],
  [
    'a million empty lines between texts',
    `a: b\n${'\n'.repeat(1_000_000)}c: d\n`,
    'CONFIG_INVALID',
    'no proxies found',
  ],
  ['a line of a million letters', 'x'.repeat(1_000_000), 'CONFIG_INVALID', 'no proxies found'],
  ['a million colons', ':'.repeat(1_000_000), 'CONFIG_INVALID', 'no proxies found'],
  [
    'more than 5,000 links',
    many(5001, (index) => `trojan://x@hk.example:443#${index}\n`),
    'CONFIG_INVALID',
    'more than 5000 proxies',
  ],
  [
    'more than 5,000 proxies of YAML',
    `proxies:\n${many(5001, (index) => proxy(`n${index}`))}`,
    'CONFIG_INVALID',
    'more than 5000 proxies',
  ],
  [
    'more than 500 groups',
    `proxies:\n${proxy('a')}proxy-groups:\n${many(501, (index) => `  - {name: g${index}, type: select, proxies: [a]}\n`)}`,
    'CONFIG_INVALID',
    'more than 500 groups',
  ],
  [
    'more than 20,000 rules',
    `proxies:\n${proxy('a')}rules:\n${many(20_001, () => '  - DOMAIN,a.example,a\n')}`,
    'CONFIG_INVALID',
    'more than 20000 rules',
  ],
  ['more than 4 MiB', `proxies:\n#${'x'.repeat(4 << 20)}`, 'CONFIG_TOO_LARGE', 'is larger than'],
  [
    'a long circle of groups',
    `proxies:\n${proxy('a')}proxy-groups:\n${many(500, (index) => `  - {name: g${index}, type: select, proxies: [g${(index + 1) % 500}]}\n`)}`,
    'CONFIG_INVALID',
    'contains itself',
  ],
];
