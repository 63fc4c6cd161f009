import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import {
  authenticate,
  checkRelease,
  type Signer,
  type TrustPolicy,
} from '#contract/trust/trust.ts';
import { version } from '../../../../simulator/arbitrary.ts';
import { makeRelease, sha256, tinyFiles } from '../../../../simulator/bundle.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';
import {
  recoveryKey,
  releaseKey,
  secondKey,
  signDer,
  strangerKey,
} from '../../../../simulator/keys.ts';
import { serverPolicy } from '../../../../simulator/verdict.ts';

const manifest = Buffer.from('{}\n');
const byRelease: Signer = { key: releaseKey.public, role: 'release' };
const byRecovery: Signer = { key: recoveryKey.public, role: 'recovery' };
const judge = (change: Partial<Release>, policy: Partial<TrustPolicy> = {}, signer = byRelease) =>
  checkRelease({ ...makeRelease(tinyFiles), ...change }, signer, { ...serverPolicy, ...policy });

describe('authentication', () => {
  it.each([
    ['a release key', releaseKey, 'release'],
    ['another release key', secondKey, 'release'],
    ['the recovery key', recoveryKey, 'recovery'],
  ] as const)('returns the signer and its role: %s', (_, pair, role) => {
    const signer = authenticate(manifest, signDer(manifest, pair), serverPolicy);
    expect(signer).toEqual({ key: pair.public, role });
  });

  it('lists the trusted keys if none of them signed', () => {
    const signature = signDer(manifest, strangerKey);
    const keys = { release: [releaseKey.public], recovery: undefined };
    const group = releaseKey.public.id.slice(0, 4);
    expect(() => authenticate(manifest, signature, { keys })).toThrow(
      new RegExp(`^no trusted key signed release.json \\(trusted: ${group} `),
    );
    expect(() => authenticate(manifest, signature, { keys: { ...keys, release: [] } })).toThrow(
      '(trusted: none)',
    );
  });

  it('requires a trusted signature even if the digest is pinned', () => {
    const policy = { ...serverPolicy, pinned: sha256(manifest) };
    const forged = signDer(manifest, strangerKey);
    expect(() => authenticate(manifest, forged, policy)).toThrow(
      expect.objectContaining({ rule: 'trusted' }),
    );
    expect(authenticate(manifest, signDer(manifest, releaseKey), policy)).toEqual(byRelease);
  });

  it('accepts a pin in one format only', () => {
    const policy = { ...serverPolicy, pinned: sha256(manifest).toUpperCase() };
    expect(() => authenticate(manifest, signDer(manifest, releaseKey), policy)).toThrow(
      expect.objectContaining({ rule: 'pinned' }),
    );
  });
});

describe('a trust policy', () => {
  it('checks only what it contains', () => {
    const anything = makeRelease(tinyFiles);
    const policy: TrustPolicy = { keys: serverPolicy.keys };
    const old = {
      ...anything,
      product: 'other',
      version: '0.0.1',
      expires: '1999-01-01T00:00:00Z',
    };
    expect(() => checkRelease(old, byRelease, policy)).not.toThrow();
  });

  it('accepts new keys with allowNewKeys, and nothing else', () => {
    const keys = { release: [strangerKey.public.spki], recovery: null };
    const policy = { allowNewKeys: true };
    expect(() => judge({ keys }, policy)).not.toThrow();
    expect(() => judge({ keys, product: 'other' }, policy)).toThrow(
      'the release is of other, not landfall',
    );
  });

  it('with an invalid installed version is a bug of the caller', () => {
    expect(() => judge({}, { installed: 'latest' })).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    );
  });

  it('lets the recovery key change keys, but not the product, the version or the target', () => {
    const keys = { release: [strangerKey.public.spki], recovery: null };
    expect(() => judge({ keys }, {}, byRecovery)).not.toThrow();
    for (const [rule, change] of [
      ['target', { product: 'x' }],
      ['target', { arch: 'arm64' as const }],
      ['no-rollback', { version: '1.0.0' }],
    ] as const) {
      expect(() => judge({ keys, ...change }, {}, byRecovery)).toThrow(
        expect.objectContaining({ rule }),
      );
    }
  });
});

describe('release versions', () => {
  it('never go back', () => {
    fc.assert(
      fc.property(version, version, (offered, installed) => {
        const numbers = (text: string) => text.split('.').map(Number);
        const [a, b] = [numbers(offered), numbers(installed)];
        const older = a.map((n, i) => n - (b[i] ?? 0)).find((d) => d !== 0) ?? 0;
        const attempt = () => judge({ version: offered, updatesFrom: null }, { installed });
        if (older < 0) expect(attempt).toThrow(expect.objectContaining({ rule: 'no-rollback' }));
        else expect(attempt).not.toThrow();
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('may change from a candidate to its release, but not back', () => {
    expect(() => judge({ version: '1.2.0' }, { installed: '1.2.0-rc.1' })).not.toThrow();
    expect(() => judge({ version: '1.2.0-rc.1' }, { installed: '1.2.0' })).toThrow(
      'the release 1.2.0-rc.1 is older than the installed 1.2.0',
    );
  });
});
