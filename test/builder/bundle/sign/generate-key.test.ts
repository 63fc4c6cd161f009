import { describe, expect, it } from 'vitest';
import { formatKeyId, readPublicKey } from '#contract/trust/keys.ts';
import { generateKey } from '../../../../builder/bundle/sign/generate-key.ts';

describe('a new key', () => {
  it('writes a new key without a passphrase as unencrypted PKCS#8 in PEM', () => {
    expect(generateKey(undefined).privatePem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  it('writes a new key with a passphrase as encrypted PKCS#8', () => {
    expect(generateKey('x').privatePem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
  });

  it('creates a public key with the same ID as the private key', () => {
    const pair = generateKey(undefined);
    expect(readPublicKey(pair.publicPem).id).toBe(pair.public.id);
  });

  it('creates a different key each time', () => {
    expect(generateKey(undefined).public.id).not.toBe(generateKey(undefined).public.id);
  });

  it('shows the ID of a new key as eight groups of four digits, for comparison by users', () => {
    expect(formatKeyId(generateKey(undefined).public.id)).toMatch(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/);
  });
});
