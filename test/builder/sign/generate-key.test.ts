import { describe, expect, it } from 'vitest';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import { generateKey } from '../../../builder/sign/generate-key.ts';

describe('a new key', () => {
  it('is unencrypted PKCS#8 in PEM without a passphrase', () => {
    expect(generateKey(undefined).privatePem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  it('is encrypted PKCS#8 with a passphrase', () => {
    expect(generateKey('x').privatePem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
  });

  it('has a public key with the same ID', () => {
    const pair = generateKey(undefined);
    expect(readPublicKey(pair.publicPem).id).toBe(pair.public.id);
  });

  it('is unique', () => {
    expect(generateKey(undefined).public.id).not.toBe(generateKey(undefined).public.id);
  });

  it('has an ID of eight groups of four digits, for comparison by users', () => {
    expect(formatKeyId(generateKey(undefined).public.id)).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
  });
});
