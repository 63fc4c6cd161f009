import { describe, expect, it } from 'vitest';
import { formatKeyId } from '#contract/trust/keys.ts';
import { packagedReleaseOf } from '../../../../builder/publish/package/release-facts.ts';
import { recoveryKey, releaseKey, secondKey } from '../../../simulator/keys.ts';

const appliance = {
  name: 'landfall',
  version: '1.2.0',
  platforms: ['linux/amd64' as const, 'linux/arm64' as const],
};
const env = {
  LANDFALL_RELEASE_URLS: 'https://example.com/v{version}/  https://mirror.example.net/{version}/',
  LANDFALL_RELEASE_KEYS: `${releaseKey.public.spki} ${secondKey.public.spki}`,
  LANDFALL_RELEASE_KEY_ID: formatKeyId(releaseKey.public.id),
};

describe('the facts of a release in a package', () => {
  it('come from the environment', () => {
    const given = {
      ...env,
      LANDFALL_RELEASE_RECOVERY_KEY: recoveryKey.public.spki,
      LANDFALL_RELEASE_KEY_PAGE: 'https://keys.example.org/',
      LANDFALL_RELEASE_CHANNELS: 'https://example.com/stable/',
    };
    expect(packagedReleaseOf(given, appliance)).toEqual({
      schema: 1,
      product: 'landfall',
      version: '1.2.0',
      architectures: ['amd64', 'arm64'],
      urls: ['https://example.com/v1.2.0/', 'https://mirror.example.net/1.2.0/'],
      channels: ['https://example.com/stable/'],
      keys: {
        release: [releaseKey.public.spki, secondKey.public.spki],
        recovery: recoveryKey.public.spki,
      },
      keyId: releaseKey.public.id,
      keyPage: 'https://keys.example.org/',
      hasProxyClient: false,
    });
  });

  it('tell whether the bundles have a proxy client', () => {
    const clients = { 'sing-box': { version: '1.14.4', urls: ['https://example.com/'] } };
    const facts = packagedReleaseOf(env, { ...appliance, clients });
    expect(facts).toMatchObject({ hasProxyClient: true });
  });

  it('parses the part size of each bundle in parts from a variable', () => {
    const sizes = (text: string) =>
      packagedReleaseOf({ ...env, LANDFALL_RELEASE_PART_SIZES: text }, appliance);
    expect(sizes('amd64=1900000000  arm64=2000')).toMatchObject({
      partSizes: { amd64: 1_900_000_000, arm64: 2_000 },
    });
    expect(sizes('arm64=2000')).toMatchObject({ partSizes: { arm64: 2_000 } });
    expect(sizes('')).not.toHaveProperty('partSizes');
    for (const text of ['amd64', 'amd64=0', 'amd64=1.9GB', 'riscv64=2000', '2000']) {
      expect(() => sizes(text), text).toThrow(expect.objectContaining({ code: 'USAGE' }));
    }
  });

  it('returns no facts of a release without variables', () => {
    expect(packagedReleaseOf({ PATH: '/bin' }, appliance)).toBeUndefined();
    expect(packagedReleaseOf({ LANDFALL_RELEASE_URLS: '' }, appliance)).toBeUndefined();
  });

  it.each([
    [
      { LANDFALL_RELEASE_KEYS: '', LANDFALL_RELEASE_KEY_ID: '' },
      ['KEYS is missing', 'KEY_ID is missing'],
    ],
    [{ LANDFALL_RELEASE_URLS: ' ' }, ['URLS is missing']],
    [{ LANDFALL_RELEASE_KEYS: 'bm8ga2V5' }, ['must have public keys']],
    [{ LANDFALL_RELEASE_KEY_ID: secondKey.public.id }, ['is not the ID of the first key']],
    [{ LANDFALL_RELEASE_KEY_ID: releaseKey.public.id.slice(0, 8) }, ['is not the ID']],
    [{ LANDFALL_RELEASE_URLS: 'http://example.com/' }, ['urls.0: must be the https URL']],
  ])('rejects the variables of a release: %j', (change, messages) => {
    expect(() => packagedReleaseOf({ ...env, ...change }, appliance)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        problems: messages.map((message) => ({ message: expect.stringContaining(message) })),
      }),
    );
  });
});
