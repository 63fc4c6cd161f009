import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { changedText, changesOf } from '../../../../appliance/commands/site/set.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';

const text = `# Ours.
hosts:
  ui: a.example.com # The chat.

# Ports of the game.
firewall:
  allow:
    - 8443/tcp # For Anna.
`;
const site = { hosts: { ui: 'a.example.com' }, firewall: { allow: ['8443/tcp'] } };

describe('changesOf', () => {
  it('takes several fields at once, which are valid only together', () => {
    const words = ['acme', 'tls.email', 'me@example.com', 'tls.accept_terms', 'true'];
    expect(changesOf('set', 'tls.mode', words)).toEqual([
      { action: 'set', field: 'tls.mode', value: 'acme' },
      { action: 'set', field: 'tls.email', value: 'me@example.com' },
      { action: 'set', field: 'tls.accept_terms', value: 'true' },
    ]);
  });

  it.each(['add', 'set'] as const)('takes an SSH key without quotation marks: %s', (action) => {
    const words = ['ssh-ed25519', 'AAAAC3Nza', 'me@laptop', 'at', 'home'];
    expect(changesOf(action, 'admin.ssh_keys', words)).toEqual([
      { action, field: 'admin.ssh_keys', value: words.join(' ') },
    ]);
  });

  it('removes a field without a value', () => {
    const change = { action: 'remove', field: 'hosts.ui', value: undefined };
    expect(changesOf('remove', 'hosts.ui', [])).toEqual([change]);
  });

  it.each([
    ['add', 'firewall.allow', ['80/tcp', '81/tcp']],
    ['set', 'admin.name', ['Anna', 'Maria']],
    ['set', 'admin.name', ['Anna', 'a/b', 'c']],
  ] as const)('names the quotation marks that are missing: %s %s %j', (action, field, words) => {
    expect(() => changesOf(action, field, words)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`'${words.join(' ')}'`) }),
    );
  });
});

describe('a changed field', () => {
  it('names the two ways to change a list, for a value that is none', () => {
    const change = { action: 'set', field: 'firewall.allow', value: '80/tcp' } as const;
    expect(() => changedText(text, change)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('site add firewall.allow') }),
    );
  });

  it.each([
    [
      { action: 'set', field: 'hosts.ui', value: 'b.example.com' },
      { hosts: { ui: 'b.example.com' } },
    ],
    [{ action: 'set', field: 'tls.mode', value: 'off' }, { tls: { mode: 'off' } }],
    [{ action: 'set', field: 'timezone', value: 'Asia/Shanghai' }, { timezone: 'Asia/Shanghai' }],
    [{ action: 'set', field: 'ports.ui', value: '3001' }, { ports: { ui: 3001 } }],
    [{ action: 'set', field: 'components.lobe', value: 'true' }, { components: { lobe: true } }],
    [{ action: 'set', field: 'models', value: '[]' }, { models: [] }],
    [
      { action: 'set', field: 'providers.openai', value: '{ base_url: https://a.example/v1 }' },
      { providers: { openai: { base_url: 'https://a.example/v1' } } },
    ],
    [{ action: 'add', field: 'models', value: 'qwen3:4b' }, { models: ['qwen3:4b'] }],
    [
      { action: 'add', field: 'firewall.allow', value: '6000/udp' },
      { firewall: { allow: ['8443/tcp', '6000/udp'] } },
    ],
    [{ action: 'remove', field: 'firewall.allow', value: '8443/tcp' }, { firewall: { allow: [] } }],
    [{ action: 'remove', field: 'hosts.ui' }, { hosts: {} }],
  ] as const)('changes nothing else: %j', (change, expected) => {
    expect(parse(changedText(text, change))).toEqual({ ...site, ...expected });
  });

  it('keeps the comments', () => {
    const change = { action: 'set', field: 'hosts.ui', value: 'b.example.com' } as const;
    expect(changedText(text, change)).toBe(text.replace('a.example.com', 'b.example.com'));
  });

  it('gets its place in a section without a value', () => {
    const change = { action: 'set', field: 'hosts.ui', value: 'b.example.com' } as const;
    expect(changedText('hosts:\n', change)).toBe('hosts:\n  ui: b.example.com\n');
    const add = { action: 'add', field: 'models', value: 'qwen3:4b' } as const;
    expect(parse(changedText('models:\n', add))).toEqual({ models: ['qwen3:4b'] });
  });

  it('restores the text after add and remove', () => {
    const field = 'firewall.allow';
    const added = changedText(text, { action: 'add', field, value: '6000/udp' });
    expect(changedText(added, { action: 'remove', field, value: '6000/udp' })).toBe(text);
  });
});

it.each([
  { action: 'add', field: 'hosts.ui', value: 'x' },
  { action: 'set', field: 'hosts.ui.more', value: 'x' },
  { action: 'set', field: 'firewall.allow.0', value: 'x' },
  { action: 'remove', field: 'firewall.allow', value: '22/tcp' },
  { action: 'set', field: '', value: 'x' },
  { action: 'set', field: 'a..b', value: 'x' },
] as const)('refuses what is no change of a field: %j', (change) => {
  expect(() => changedText(text, change)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

it('refuses a text that is not YAML, with the line', () => {
  const change = { action: 'set', field: 'timezone', value: 'UTC' } as const;
  expect(() => changedText('hosts: {\n', change)).toThrow(
    expect.objectContaining({ code: 'CONFIG_SYNTAX' }),
  );
});

it('changes the text only, for any words', () => {
  const names = Object.getOwnPropertyNames(Object.prototype);
  const words = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'hosts', 'ui'));
  fc.assert(
    fc.property(fc.array(words, { maxLength: 3 }), fc.string(), (field, value) => {
      try {
        changedText(text, { action: 'set', field: field.join('.'), value });
      } catch (error) {
        expect(error).toMatchObject({ code: 'USAGE' });
      }
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(names);
    }),
    { numRuns: fuzzRuns(2000) },
  );
});
