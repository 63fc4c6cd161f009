import { describe, expect, it } from 'vitest';
import { checksumsName, headMembers, manifestName, sigstoreName } from '#contract/bundle/head.ts';
import { checksumsOf } from '#contract/bundle/layout.ts';
import { encodeRelease, type Release, releaseSchema } from '#contract/bundle/release.ts';
import { sigstoreBundle } from '#contract/trust/sigstore.ts';
import { makeKeyPair, signDerOfLength } from '../../../../simulator/keys.ts';

const maxBytesOf = (name: string) => headMembers.find((member) => member.name === name)?.maxBytes;

/** Returns the release with the longest manifest that the schema allows. */
function max(): Release {
  const digest = `sha256:${'f'.repeat(64)}`;
  const pathOf = (kind: string, index: number) => `${kind}${index}`.padStart(100, 'x');
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));
  const size = Number.MAX_SAFE_INTEGER;
  return releaseSchema.parse({
    schema: 1,
    product: 'x'.repeat(32),
    version: `999999999.999999999.999999999-${'x'.repeat(34)}`,
    arch: 'amd64',
    kind: 'thin',
    created: '2026-11-01T00:00:00Z',
    expires: '2027-11-01T00:00:00Z',
    updatesFrom: `999999999.999999999.999999999-${'x'.repeat(34)}`,
    dataEpoch: 1_000_000,
    keys: {
      release: many(8, () => makeKeyPair().public.spki),
      recovery: makeKeyPair().public.spki,
    },
    images: many(64, () => ({
      component: 'x'.repeat(32),
      reference: 'x'.repeat(512),
      ...{ index: digest, manifest: digest, config: digest, size, optional: false },
    })),
    models: many(64, (index) => ({
      name: maxModel(index),
      role: 'embedding',
      manifest: digest,
      size,
    })),
    downloads: many(64, (index) => ({
      path: pathOf('d', index),
      urls: many(16, () => `https://example.com/${'x'.repeat(1004)}`),
      ...{ size, sha256: 'f'.repeat(64), executable: false },
    })),
    bootstrap: many(16, (index) => ({
      name: `script-${index}`.padEnd(64, 'x'),
      sha256: '0'.repeat(64),
    })),
    files: many(20_000, (index) => ({
      path: pathOf('f', index),
      ...{ size, sha256: 'f'.repeat(64), offset: size, executable: false },
    })),
  });
}

/** Returns a model name of the maximum length. */
function maxModel(index: number): string {
  const tag = `${index}`.padStart(80, 'x');
  return `${'x'.repeat(253)}:65535/${'x'.repeat(80)}/${'x'.repeat(80)}:${tag}`;
}

describe('the limits of the head', () => {
  const release = max();
  const manifest = encodeRelease(release);

  it('allow the largest manifest of the schema', () => {
    expect(manifest.length).toBeLessThanOrEqual(maxBytesOf(manifestName) ?? 0);
  });

  it('allow its checksums', () => {
    expect(checksumsOf(release, manifest).length).toBeLessThanOrEqual(
      maxBytesOf(checksumsName) ?? 0,
    );
  });

  it('allow its Sigstore bundle', () => {
    const signer = makeKeyPair();
    const bundle = sigstoreBundle(manifest, signDerOfLength(manifest, signer, 72), signer.public);
    expect(bundle.length).toBeLessThanOrEqual(maxBytesOf(sigstoreName) ?? 0);
  });

  it('limit the unverified bytes to 16 MB', () => {
    const total = headMembers.reduce((sum, { maxBytes }) => sum + maxBytes, 0);
    expect(total).toBeLessThan(16 * 1024 * 1024);
  });
});
