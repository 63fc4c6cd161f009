import { describe, expect, it } from 'vitest';
import { findProvider } from '../../../builder/user-data/providers.ts';
import {
  budget,
  checkBudget,
  hardLimit,
  renderUserData,
} from '../../../builder/user-data/render.ts';
import { siteWith } from '../../appliance/bootstrap/fresh-server.ts';
import { inputsWith, sourceUrl } from './rendered.ts';

/** Long keys that the schema accepts. */
const [ed25519 = ''] = siteWith({ release: [sourceUrl] }).admin.ssh_keys;
const withKeys = (count: number) => {
  const keys = Array.from({ length: count }, (_, index) => `${ed25519} ${'x'.repeat(400)}${index}`);
  return siteWith({ release: [sourceUrl], admin: { ssh_keys: keys } });
};

describe('the budget', () => {
  it('prints no warning below the limit', () => {
    expect(checkBudget(budget, [], undefined)).toEqual([]);
  });

  it('names the provider that may reject user-data near the limit', () => {
    const { bytes, warnings } = renderUserData(inputsWith({ site: withKeys(4) }));
    const size = bytes.length;
    expect(size).toBeGreaterThan(budget);
    expect(warnings).toEqual([
      `the user-data is ${size} bytes: Tencent Cloud may reject more than 12288, other providers accept 16384`,
    ]);
  });

  it('prints no warning for another provider', () => {
    expect(checkBudget(budget + 1, [], findProvider('hetzner'))).toEqual([]);
    expect(checkBudget(budget + 1, [], findProvider('tencent'))).toHaveLength(1);
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
    expect(() => checkBudget(hardLimit + 1, [], findProvider('vsphere'))).toThrow(
      expect.objectContaining({ code: 'USER_DATA_TOO_LARGE' }),
    );
  });

  it('limits user-data to a smaller size for a provider with a smaller limit', () => {
    const small = { ...findProvider('aws'), name: 'Small Cloud', limit: 10_000 };
    expect(() => checkBudget(10_001, [], small)).toThrow('1 more than the limit of Small Cloud');
  });

  it('counts compressed bytes', () => {
    const site = withKeys(16);
    expect(renderUserData(inputsWith({ site, format: 'gzip' })).bytes.length).toBeLessThan(
      hardLimit,
    );
  });
});
