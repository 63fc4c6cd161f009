import { expect, it, vi } from 'vitest';
import { updateHistoryFile } from '#contract/server-paths.ts';
import { showHistory } from '../../../../appliance/commands/site/history.ts';
import { smallSite } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

it('shows a change of the site that was undone, with its time', async () => {
  const ended = {
    ...{ at: '2026-11-29T01:10:00.000Z', id: 'one', kind: 'site', from: '1.0.0', to: '1.0.0' },
    ...{ manifest: 'a'.repeat(64), outcome: 'rolled-back', took: 1, closed: null },
    reason: { code: 'UNCONFIRMED', message: 'no new login has confirmed the change' },
  };
  const update = { ...ended, id: 'two', kind: 'update' };
  const text = [ended, update].map((each) => `${JSON.stringify(each)}\n`).join('');
  const print = vi.spyOn(console, 'log').mockReturnValue();
  await showHistory({ host: TemporaryHost.with({ [updateHistoryFile]: text }), site: smallSite });
  expect(String(print.mock.lastCall).split('\n').slice(1)).toEqual([
    expect.stringMatching(/^2026-11-29 01:10 UTC +undone: it was not confirmed$/),
  ]);
});
