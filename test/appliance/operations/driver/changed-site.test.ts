import { describe, expect, it, vi } from 'vitest';
import { failing } from './failing-disk.ts';
import { ChangedSiteServer, siteBehaviours } from './site-server.ts';
import { surviveEveryFailure } from './transaction-server.ts';

vi.mock('node:fs/promises', async (original) => failing(await original<object>()));

describe('a change of the site that dies at any change', () => {
  it.each(siteBehaviours)(
    'ends with the new site or exactly the earlier one, if it %s',
    async (behaviour) => {
      for (const how of ['dead', 'full'] as const) {
        const create = () => ChangedSiteServer.create(behaviour);
        const { tried, lost } = await surviveEveryFailure(create, how);
        expect(lost).toEqual([]);
        expect(tried).toBeGreaterThan(25);
      }
    },
  );
});
