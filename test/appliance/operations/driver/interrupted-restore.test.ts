import { describe, expect, it, vi } from 'vitest';
import { failing } from './failing-disk.ts';
import { RestoredServer } from './restored-server.ts';
import { surviveEveryFailure } from './transaction-server.ts';

vi.mock('node:fs/promises', async (original) => failing(await original<object>()));

describe('a restore that dies at any change', () => {
  it.each([
    ['works', false],
    ['fails its tests', false],
    ['works', true],
    ['fails its tests', true],
  ] as const)(
    'ends with a backup that %s, in place of chats that are damaged: %s',
    async (behaviour, isDamaged) => {
      // A full disk leads back in the same way for all chats.
      for (const how of isDamaged ? (['dead'] as const) : (['dead', 'full'] as const)) {
        const create = () => RestoredServer.create({ behaviour, isDamaged });
        const { tried, lost } = await surviveEveryFailure(create, how, async (server) => {
          // A full disk is a reason to go back; an interruption is not.
          const isWrong = how === 'dead' && (await server.isRestored()) !== (behaviour === 'works');
          return isWrong ? ['it ends otherwise'] : [];
        });
        expect(lost).toEqual([]);
        expect(tried).toBeGreaterThan(60);
      }
    },
  );
});
