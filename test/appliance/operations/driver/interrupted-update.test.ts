import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../../differential/random.ts';
import { failing } from './failing-disk.ts';
import { surviveDeaths, surviveEveryFailure } from './transaction-server.ts';
import { UpdatedServer } from './updated-server.ts';

vi.mock('node:fs/promises', async (original) => failing(await original<object>()));

describe('an update that dies at any change', () => {
  it.each([
    ['works', true, true],
    ['works', false, true],
    ['does not start', true, true],
    ['fails its tests', true, true],
    ['fails its tests', false, true],
    ['works', true, false],
    ['does not start', true, false],
    ['fails its tests', true, false],
    ['starts late', true, false],
  ] as const)(
    'ends with a release that %s, closes the server: %s, keeps a way back: %s',
    async (behaviour, closes, keepsPrevious) => {
      for (const how of ['dead', 'full'] as const) {
        const create = async () => new UpdatedServer(behaviour, closes, keepsPrevious);
        const { tried, lost } = await surviveEveryFailure(create, how);
        console.log(
          `${behaviour}, ${closes ? 'closed' : 'open'}, ${how}: ${tried} tried, ${lost.length} lost`,
        );
        expect(lost).toEqual([]);
        expect(tried).toBeGreaterThan(30);
      }
    },
  );

  it.each(['works', 'does not start', 'fails its tests'] as const)(
    'ends after two to five interruptions, with a release that %s',
    async (behaviour) => {
      const random = new Random(7);
      const lost: string[] = [];
      for (let tried = 0; tried < 60; tried += 1) {
        const deaths = Array.from({ length: 2 + random.below(4) }, () => 3 + random.below(88));
        const create = async () => new UpdatedServer(behaviour, true, true);
        const flaws = await surviveDeaths(create, deaths);
        if (flaws.length > 0) lost.push(`${deaths.join(', ')}: ${flaws.join(', ')}`);
      }
      expect(lost).toEqual([]);
    },
  );
});
