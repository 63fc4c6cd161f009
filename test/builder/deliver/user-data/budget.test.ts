import { describe, expect, it } from 'vitest';
import { findProvider, smallestLimit } from '../../../../builder/deliver/user-data/providers.ts';
import { checkSize, renderUserData } from '../../../../builder/deliver/user-data/render.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { inputsWith, sourceUrl } from './rendered.ts';

/** Long keys that the schema accepts. */
const [ed25519 = ''] = siteWith({ release: [sourceUrl] }).admin.ssh_keys;
const withKeys = (count: number) => {
  const keys = Array.from({ length: count }, (_, index) => `${ed25519} ${'x'.repeat(400)}${index}`);
  return siteWith({ release: [sourceUrl], admin: { ssh_keys: keys } });
};

const common = smallestLimit('cloud-config');

describe('the budget', () => {
  it('accepts user-data up to the smallest limit without a warning, also for Tencent Cloud', () => {
    const { bytes, warnings } = renderUserData(
      inputsWith({ site: withKeys(4), provider: 'tencent' }),
    );
    expect(bytes.length).toBeGreaterThan(12_288);
    expect(warnings).toEqual([]);
    expect(() => checkSize(common, [])).not.toThrow();
  });

  it('rejects user-data above the smallest limit, with the size of each file', () => {
    expect(() => renderUserData(inputsWith({ site: withKeys(16) }))).toThrow(
      expect.objectContaining({
        code: 'USER_DATA_TOO_LARGE',
        problems: expect.arrayContaining([
          { message: expect.stringMatching(/^\/etc\/landfall\/site\.json: \d+ bytes$/) },
        ]),
      }),
    );
  });

  it('lists the largest file first', () => {
    try {
      renderUserData(inputsWith({ site: withKeys(16) }));
      expect.unreachable();
    } catch (error) {
      const [first] = (error as { problems: Array<{ message: string }> }).problems;
      expect(first?.message).toContain('site.json');
    }
  });

  it('also applies to a provider with a larger limit', () => {
    expect(() => checkSize(common + 1, [], findProvider('vsphere'))).toThrow(
      expect.objectContaining({ code: 'USER_DATA_TOO_LARGE' }),
    );
  });

  it('limits user-data to a smaller size for a provider with a smaller limit', () => {
    const small = {
      ...findProvider('aws'),
      name: 'Small Cloud',
      limits: { 'cloud-config': 10_000 },
    };
    expect(() => checkSize(10_001, [], small)).toThrow('1 more than the limit of Small Cloud');
  });

  it('counts compressed bytes', () => {
    const site = withKeys(16);
    expect(renderUserData(inputsWith({ site, format: 'gzip' })).bytes.length).toBeLessThan(common);
  });

  it('limits a script to what its provider accepts, and warns without a provider', () => {
    const check = (size: number, name?: string) =>
      checkSize(size, [], name === undefined ? undefined : findProvider(name), 'shell');
    expect(check(49_152, 'lighthouse')).toEqual([]);
    expect(() => check(13_825, '阿里云轻量')).toThrow(
      '1 more than the limit of Alibaba Cloud Simple',
    );
    expect(check(13_824)).toEqual([]);
    expect(check(13_825)).toEqual([
      'the script has 13825 bytes, which these providers do not accept: Alibaba Cloud (13824), Alibaba Cloud Simple Application Server (13824)',
    ]);
  });
});
