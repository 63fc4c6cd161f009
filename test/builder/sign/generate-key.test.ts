import { describe, expect, it } from 'vitest';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import { generateKey } from '../../../builder/sign/generate-key.ts';

describe('a new key', () => {
  it('is PKCS#8 in PEM, in the clear when there is no passphrase', () => {
    expect(generateKey(undefined).privatePem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  it('is encrypted PKCS#8 when there is one', () => {
    expect(generateKey('x').privatePem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
  });

  it('has a public half that reads back to the same id', () => {
    const pair = generateKey(undefined);
    expect(readPublicKey(pair.publicPem).id).toBe(pair.public.id);
  });

  it('is another one every time', () => {
    expect(generateKey(undefined).public.id).not.toBe(generateKey(undefined).public.id);
  });

  it('has an id that a person can compare: eight groups of four', () => {
    expect(formatKeyId(generateKey(undefined).public.id)).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
  });
});
