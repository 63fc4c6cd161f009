import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flawOfSshKey } from '#contract/site/ssh-public-key.ts';

/** Returns a line of a key file: the type and the length-prefixed fields (RFC 4253). */
function keyLine(type: string, ...fields: readonly Buffer[]): string {
  const parts = [Buffer.from(type), ...fields].flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  return `${type} ${Buffer.concat(parts).toString('base64')} test`;
}

const curve = (name: string) =>
  keyLine(`ecdsa-sha2-${name}`, Buffer.from(name), Buffer.alloc(65, 4));

function rsaLine(bits: number): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');
  const exponent = Buffer.from([1, 0, 1]);
  return keyLine('ssh-rsa', exponent, Buffer.concat([Buffer.alloc(1), modulus]));
}

// Written by `ssh-keygen`; the private keys were deleted.
const ed25519 =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAVLh5IHVUSfJ2fWgwr5BHQO+pkEvM9qOYXmNmKseIOc test';
const ecdsa =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBLt38MnoP32QlJkxLuAR1aHjo+dkN+eXRjYdXyGfHh69CnlMye0WR+H93rWuff5CPTwcYHyB2r4h90N0mCbAz0Y= test';

describe('a public SSH key', () => {
  it.each([
    ['ed25519', ed25519],
    ['ecdsa', ecdsa],
    ['ecdsa on a larger curve', curve('nistp521')],
    ['rsa of 3072 bits', rsaLine(3072)],
    ['rsa of 2048 bits', rsaLine(2048)],
    [
      'a hardware token',
      keyLine('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), Buffer.from('ssh:')),
    ],
    [
      'an older hardware token',
      keyLine(
        'sk-ecdsa-sha2-nistp256@openssh.com',
        Buffer.from('nistp256'),
        Buffer.alloc(65, 4),
        Buffer.from('ssh:'),
      ),
    ],
  ])('accepts a complete public SSH key: %s', (_what, line) => {
    expect(flawOfSshKey(line)).toBeUndefined();
  });

  it('rejects a public SSH key if a character is missing or duplicated', () => {
    const [type = '', body = ''] = ed25519.split(' ');
    const position = fc.integer({ min: 1, max: body.length - 1 });
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 40 }), (at, count) => {
        const lost = `${type} ${body.slice(0, at)}${body.slice(at + count)}`;
        const doubled = `${type} ${body}${body.slice(-count - 4)}`;
        expect(flawOfSshKey(lost)?.hint).toContain('Copy the whole line');
        expect(flawOfSshKey(doubled)?.hint).toContain('Copy the whole line');
      }),
    );
  });

  it.each([
    ['without its padding', ecdsa.replace('= ', ' ')],
    ['with spare bits that are not zero', ecdsa.replace('0Y= ', '0Z= ')],
    ['with too much padding', ed25519.replace(' test', '= test')],
  ])('rejects a public SSH key as sshd rejects it: %s', (_, line) => {
    expect(line).not.toBe(ecdsa);
    expect(flawOfSshKey(line)).toMatchObject({ message: 'is truncated or has trailing data' });
  });

  it('rejects a public SSH key whose declared type differs from its content', () => {
    const [, body = ''] = curve('nistp256').split(' ');
    expect(flawOfSshKey(`ecdsa-sha2-nistp384 ${body}`)).toMatchObject({
      message: 'has the type ecdsa-sha2-nistp384, but its content has another type',
    });
  });

  it.each([1024, 2040])('rejects a public SSH key with RSA of %i bits', (bits) => {
    expect(flawOfSshKey(rsaLine(bits))).toMatchObject({
      message: `has only ${bits} bits, the minimum is 2048`,
      hint: expect.stringContaining('ssh-keygen -t ed25519'),
    });
  });

  it('parses or rejects a public SSH key for any input', () => {
    fc.assert(
      fc.property(fc.base64String(), (body) => {
        expect(flawOfSshKey(`ssh-ed25519 ${body}`)).toBeDefined();
        expect(flawOfSshKey(`ssh-rsa ${body}`)).toBeDefined();
      }),
    );
  });
});
