import type { Release } from '#contract/bundle/release.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import type { PackagedRelease } from '../../../../builder/deliver/packaged/packaged-release.ts';
import { serve } from '../../../faulty-server/faults.ts';
import type { Routes } from '../../../faulty-server/faulty-server.ts';
import { makeBundle } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { type KeyPair, releaseKey } from '../../../simulator/keys.ts';

/** A public key as in `release.json`. */
export const spki = releaseKey.public.spki;
export const pem = publicKeyPem(releaseKey.public);

/** Creates the head of a release with one key that has not expired. */
export function makeHead(change: Partial<Release> = {}, signer: KeyPair = releaseKey) {
  const keys = { release: [signer.public.spki], recovery: null };
  return headOf(
    makeBundle({
      signer,
      release: (release) => ({ ...release, expires: '2099-01-01T00:00:00Z', keys, ...change }),
    }),
  );
}

/** Returns the routes of a folder with the manifests of a release for both architectures. */
export function folderWith(change: Partial<Release> = {}, signer?: KeyPair, at = '/r/'): Routes {
  const routes = (['amd64', 'arm64'] as const).flatMap((arch) => {
    const head = makeHead({ ...change, arch }, signer);
    return ['release.json', 'release.json.sig'].map((member) => [
      `${at}landfall-1.2.0-${arch}.${member}`,
      serve(head.get(member) ?? Buffer.alloc(0)),
    ]);
  });
  return Object.fromEntries(routes);
}

/** Returns the facts of a package that was published with this release. */
export function packagedAt(...urls: string[]): PackagedRelease {
  return {
    schema: 1,
    product: 'landfall',
    version: '1.2.0',
    architectures: ['amd64', 'arm64'],
    urls,
    keys: { release: [spki], recovery: null },
    keyId: releaseKey.public.id,
    keyPage: 'https://keys.example.org/landfall',
  };
}
