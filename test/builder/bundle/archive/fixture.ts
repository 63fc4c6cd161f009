import { createPrivateKey } from 'node:crypto';
import type { ReleaseFacts } from '../../../../builder/bundle/archive/release-facts.ts';
import { generateKey } from '../../../../builder/bundle/sign/generate-key.ts';
import type { SigningKey } from '../../../../builder/bundle/sign/private-key.ts';

/** A key for one test file. */
export function testKey(): SigningKey {
  const pair = generateKey(undefined);
  return { key: createPrivateKey(pair.privatePem), public: pair.public };
}

/** Returns a valid release with the given files. */
export function factsFor(signer: SigningKey): ReleaseFacts {
  return {
    product: 'landfall',
    version: '1.2.3',
    arch: 'amd64',
    kind: 'thin',
    created: '2026-01-02T03:04:05Z',
    expires: '2027-01-02T03:04:05Z',
    updatesFrom: null,
    dataEpoch: 1,
    keys: { release: [signer.public.spki], recovery: null },
    images: [],
    models: [],
    downloads: [],
    bootstrap: [{ name: 'bootstrap', sha256: 'b'.repeat(64) }],
  };
}
