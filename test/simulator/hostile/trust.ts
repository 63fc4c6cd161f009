import type { Release } from '#contract/bundle/release.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { makeBundle } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';
import { recoveryKey, releaseKey, secondKey, strangerKey } from '../keys.ts';

const release = (change: Partial<Release>) => () =>
  makeBundle({ release: (honest) => ({ ...honest, ...change }) });
const offeredTo = (policy: Partial<TrustPolicy>, change: Partial<Release> = {}) => ({
  bundle: release(change),
  policy,
});
const keys = (keysOf: Release['keys']) => release({ keys: keysOf });

const daily = [releaseKey.public.spki, secondKey.public.spki];
const recovery = recoveryKey.public.spki;
const stranger = strangerKey.public.spki;

/** Authentic releases that this server must reject: by a stolen key, old, or for another target. */
export const trustAttacks = [
  ...breaking('BUNDLE_KEYS', 'recovery-changes-keys', {
    'a release key adds a key': keys({ release: [...daily, stranger], recovery }),
    'a release key removes another one': keys({ release: daily.slice(0, 1), recovery }),
    'a release key replaces all keys': keys({ release: [stranger], recovery: null }),
    'a release key removes the recovery key': keys({ release: daily, recovery: null }),
    'a release key replaces the recovery key': keys({ release: daily, recovery: stranger }),
    'a release key and the recovery key are swapped': keys({
      release: [recovery, secondKey.public.spki],
      recovery: releaseKey.public.spki,
    }),
    'a release key adds the first recovery key': offeredTo(
      { keys: { release: [releaseKey.public, secondKey.public], recovery: undefined } },
      {},
    ),
    'a key that is both a release and the recovery key counts as a release key': {
      bundle: () =>
        makeBundle({
          signer: releaseKey,
          release: (honest) => ({ ...honest, keys: { release: [stranger], recovery: null } }),
        }),
      policy: { keys: { release: [releaseKey.public], recovery: releaseKey.public } },
    },
  }),
  ...breaking('BUNDLE_WRONG_TARGET', 'target', {
    'another product with the same signer': release({ product: 'windfall' }),
    'a release for another architecture': release({ arch: 'arm64' }),
  }),
  ...breaking('BUNDLE_ROLLBACK', 'no-rollback', {
    'an older patch release': release({ version: '1.0.9' }),
    'an older release with more digits': offeredTo({ installed: '1.10.0' }, { version: '1.9.0' }),
    'a release candidate of the installed version': offeredTo(
      { installed: '1.2.0' },
      { version: '1.2.0-rc.1' },
    ),
    'an older release candidate, compared by number': offeredTo(
      { installed: '1.2.0-rc.10' },
      { version: '1.2.0-rc.9' },
    ),
    'an older release signed by the recovery key': {
      bundle: () =>
        makeBundle({
          signer: recoveryKey,
          release: (honest) => ({ ...honest, version: '0.9.0', updatesFrom: null }),
        }),
    },
  }),
  ...breaking('BUNDLE_ROLLBACK', 'updates-from', {
    'a release that requires a newer installed version': offeredTo({ installed: '0.9.9' }),
    'a release that requires more than the installed candidate': offeredTo({
      installed: '1.0.0-rc.1',
    }),
  }),
  ...breaking('BUNDLE_EXPIRED', 'fresh', {
    'a release that expired long ago': offeredTo({ now: new Date('2030-01-01T00:00:00Z') }),
    'a release that expires in this second': offeredTo({ now: new Date('2027-11-01T00:00:00Z') }),
    'a release with an invalid current time': offeredTo({ now: new Date(Number.NaN) }),
  }),
  ...breaking('BUNDLE_PINNED', 'pinned', {
    'another build than the pinned one': offeredTo({ pinned: '0'.repeat(64) }),
    'a pinned release with a forged signature': {
      bundle: () => makeBundle({ signer: strangerKey }),
      policy: { pinned: 'f'.repeat(64) },
    },
  }),
];
