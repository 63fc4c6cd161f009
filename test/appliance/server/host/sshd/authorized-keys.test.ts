import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  keyOf,
  keysIn,
  withKeys,
} from '../../../../../appliance/server/host/sshd/authorized-keys.ts';

const laptop = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAVLh5IHVUSfJ2fWgwr5BHQO laptop';
const phone = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ== phone';
const token = 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t';

describe('a line of authorized_keys', () => {
  it.each([
    ['a key with a comment', laptop],
    ['options before it', `no-pty,from="10.0.0.0/8" ${laptop}`],
    ['an option with spaces and quotes', `command="echo \\"a b\\"" ${laptop}`],
    ['an option with another key in quotes', `environment="K=${phone}" ${laptop}`],
    ['spaces around', `  ${laptop}  `],
    ['tabs between', laptop.replaceAll(' ', '\t')],
    ['no comment', laptop.replace(' laptop', '')],
    ['another key in the comment', `${laptop} ${phone}`],
  ])(
    'returns the key of a line of authorized_keys without options and comment: %s',
    (_what, line) => {
      expect(keyOf(line)).toBe(laptop.replace(' laptop', ''));
    },
  );

  it.each([
    '',
    '   ',
    '# a comment',
    `#${laptop}`,
    'ssh-ed25519',
    'hello world',
    'command="never ends ssh-ed25519 AAAA',
  ])('returns no key for a line of authorized_keys: %j', (line) => {
    expect(keyOf(line)).toBeUndefined();
  });

  it('parses any line of authorized_keys, and returns only a key that is part of it', () => {
    const piece = fc.constantFrom('"', '\\', ' ', 'a', '"a"', 'ssh-rsa ', 'AAAA', ',');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 2000 }), (pieces) => {
        const line = pieces.join('');
        const [algorithm = '', body = ''] = keyOf(line)?.split(' ') ?? [];
        expect(line).toContain(algorithm);
        expect(line).toContain(body);
      }),
    );
  });
});

describe('the keys of the site', () => {
  it('appends the keys of the site to manually added keys', () => {
    const text = withKeys(`# mine\n${phone}\n`, [laptop]);
    expect(text).toBe(`# mine\n${phone}\n${laptop}\n`);
  });

  it('adds the keys of the site once, regardless of the comment', () => {
    const text = withKeys('', [laptop, laptop.replace('laptop', 'other'), token]);
    expect(withKeys(text, [laptop.replace('laptop', 'third'), token])).toBe(text);
    expect(keysIn(text)).toContain(token);
  });

  it('do not remove options of an existing key', () => {
    const restricted = `from="192.0.2.0/24" ${laptop}\n`;
    expect(withKeys(restricted, [laptop])).toBe(restricted);
  });

  it('adds a key of the site if its line is a comment', () => {
    expect(withKeys(`#${laptop}\n`, [laptop])).toBe(`#${laptop}\n${laptop}\n`);
  });

  it('adds a key of the site on a new line after a last line without a line break', () => {
    expect(withKeys(phone, [laptop])).toBe(`${phone}\n${laptop}\n`);
  });

  it('keep all existing lines in order', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const result = withKeys(text, [laptop]);
        expect(result.startsWith(text)).toBe(true);
        expect(keysIn(result)).toContain(keyOf(laptop));
        expect(withKeys(result, [laptop])).toBe(result);
      }),
    );
  });
});
