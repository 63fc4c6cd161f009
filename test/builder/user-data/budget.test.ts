import { describe, expect, it } from 'vitest';
import { budget, checkBudget, hardLimit } from '../../../builder/user-data/budget.ts';
import { findProvider } from '../../../builder/user-data/providers.ts';
import { renderUserData } from '../../../builder/user-data/render.ts';
import { siteWith } from '../../appliance/bootstrap/fresh-server.ts';
import { inputsWith, place } from './rendered.ts';

/** Long, but within what the schema takes. */
const [ed25519 = ''] = siteWith({ release: [place] }).admin.ssh_keys;
const withKeys = (count: number) => {
  const keys = Array.from({ length: count }, (_, index) => `${ed25519} ${'x'.repeat(400)}${index}`);
  return siteWith({ release: [place], admin: { ssh_keys: keys } });
};

describe('the budget', () => {
  it('is kept in silence', () => {
    expect(checkBudget(budget, [], undefined)).toEqual([]);
  });

  it('warns before it is too late', () => {
    const { size, warnings } = renderUserData(inputsWith({ site: withKeys(4) }));
    expect(size).toBeGreaterThan(budget);
    expect(warnings).toEqual([expect.stringContaining(`${size} bytes`)]);
  });

  it('ends at what every provider takes, saying what takes the space', () => {
    expect(() => renderUserData(inputsWith({ site: withKeys(16) }))).toThrow(
      expect.objectContaining({
        code: 'USER_DATA_TOO_LARGE',
        problems: expect.arrayContaining([
          { message: expect.stringMatching(/^\d+ bytes are \/etc\/landfall\/site\.json$/) },
        ]),
      }),
    );
  });

  it('names the largest part first', () => {
    try {
      renderUserData(inputsWith({ site: withKeys(16) }));
      expect.unreachable();
    } catch (error) {
      const [first] = (error as { problems: Array<{ message: string }> }).problems;
      expect(first?.message).toContain('site.json');
    }
  });

  it('holds for a provider that takes more, too: the paste is to work everywhere', () => {
    expect(() => checkBudget(hardLimit + 1, [], findProvider('vsphere'))).toThrow(
      expect.objectContaining({ code: 'USER_DATA_TOO_LARGE' }),
    );
  });

  it('is narrower for a provider that takes less', () => {
    const small = { ...findProvider('aws'), name: 'Small Cloud', limit: 10_000 };
    expect(() => checkBudget(10_001, [], small)).toThrow('1 more than Small Cloud take');
  });

  it('counts what is pasted: packed, the same site may fit', () => {
    const site = withKeys(16);
    expect(renderUserData(inputsWith({ site, format: 'gzip' })).size).toBeLessThan(hardLimit);
  });
});
