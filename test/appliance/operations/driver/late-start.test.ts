import { afterEach, describe, expect, it, vi } from 'vitest';
import { readHistory } from '../../../../appliance/operations/transactions/history.ts';
import { UpdatedServer } from './updated-server.ts';

let server: UpdatedServer | undefined;
afterEach(() => server?.remove());

/** When the data change: after so many programs of the way back. */
const calls = Array.from({ length: 12 }, (_, index) => index + 1);

describe('an update without a way back, to a release that changes the data after it counts as failed', () => {
  // Regression: the release went on while the server looked whether the earlier one can read the data.
  it.each(calls)(
    'never starts the earlier release on newer data, changed after %i programs',
    async (late) => {
      vi.spyOn(console, 'log').mockImplementation(() => {});
      server = new UpdatedServer('starts late', true, false, late);
      expect(await server.apply()).toBeUndefined();
      expect(server.broken()).toEqual([]);
      expect(server.flaws()).toEqual([]);
      const [ended] = await readHistory(server.host);
      expect(ended).toMatchObject({ keepsPrevious: false, reason: { code: 'UPDATE_FAILED' } });
    },
  );

  it('says in the history that a release stays which has changed the data', async () => {
    server = new UpdatedServer('starts late', true, false, 1);
    expect(await server.apply()).toBeUndefined();
    const [ended] = await readHistory(server.host);
    expect(ended).toMatchObject({ outcome: 'committed', reason: expect.anything() });
  });
});
