import { describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { type GivenFile, verifyRelease } from '../../../../builder/page/app/release.ts';
import type { PageFacts } from '../../../../builder/page/facts.ts';
import {
  channelRelease,
  signedChannel,
} from '../../../appliance/shared/contract/channel/a-channel.ts';
import { makeRelease, tinyFiles } from '../../../simulator/bundle.ts';
import { type KeyPair, releaseKey, signDer, strangerKey } from '../../../simulator/keys.ts';

const release = { ...makeRelease(tinyFiles), expires: '2999-01-01T00:00:00Z' };
const facts: PageFacts = {
  ...{ product: 'landfall', version: release.version, architectures: ['amd64'] },
  keys: release.keys,
};

/** Returns the files of a release, signed. */
function filesOf(change: Partial<Release> & Record<string, unknown> = {}): GivenFile[] {
  const bytes = Buffer.from(encodeCanonicalJson({ ...release, ...change }));
  return [
    { name: 'release.json', bytes },
    { name: 'release.json.sig', bytes: signDer(bytes, releaseKey) },
  ];
}

/** Returns the files of a channel that withdrew the release. */
function channelFiles(key?: KeyPair): GivenFile[] {
  const withdrawn = { reason: 'It loses chats.' };
  const releases = [channelRelease(release.version, { withdrawn })];
  const { bytes, signature } = signedChannel({ releases }, key);
  return [
    { name: 'channel.json', bytes },
    { name: 'channel.json.sig', bytes: signature },
  ];
}

const verified = (files: readonly GivenFile[]) => verifyRelease(files, facts, new Date());

describe('verifyRelease', () => {
  it.each([
    ['of another product', { product: 'other' }, 'BUNDLE_WRONG_TARGET'],
    ['that expired', { expires: '2020-01-01T00:00:00Z' }, 'BUNDLE_EXPIRED'],
    [
      'with unknown critical fields',
      { critical: [{ field: 'seal', since: '9.0.0' }], seal: 1 },
      'BUNDLE_MANIFEST',
    ],
  ])('rejects a release %s', (_what, change, code) => {
    expect(verified(filesOf(change))?.error).toMatchObject({ code });
  });

  it('says why the channel withdrew a release', () => {
    expect(verified(filesOf())?.value?.withdrawn).toBeUndefined();
    expect(verified([...filesOf(), ...channelFiles()])?.value?.withdrawn).toBe('It loses chats.');
  });

  it('ignores a channel that a stranger signed', () => {
    const outcome = verified([...filesOf(), ...channelFiles(strangerKey)]);
    expect(outcome?.value?.withdrawn).toBeUndefined();
    expect(outcome?.error).toBeUndefined();
  });
});
