import { describe, expect, it } from 'vitest';
import { watchedRows, watchedState } from '../../../../appliance/commands/status/watched-state.ts';
import { smallSite } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const site = (alerts: object[]) => JSON.stringify({ ...smallSite, alerts });

describe('the rows of landfall status', () => {
  it('show a failed destination and a target that waits for its secret', async () => {
    const since = '2026-11-22T21:15:00.000Z';
    const state = {
      schema: 1,
      at: since,
      subjects: { 'provider openai': { state: 'failed', failures: 3, since, cause: 'timed out' } },
    };
    const host = TemporaryHost.with({
      'etc/landfall/site.json': site([{ kind: 'ntfy' }]),
      'var/lib/landfall/route-state.json': JSON.stringify(state),
    });
    const rows = watchedRows(await watchedState(host));
    expect(rows).toEqual([
      {
        text: 'route: provider openai failed since 2026-11-22 21:15 UTC: timed out',
        colour: 'yellow',
      },
      {
        text: 'alerts: the alert target ntfy has no secret yet; run: sudo landfall secret set alert-ntfy-url',
        colour: 'yellow',
      },
    ]);
  });

  it('returns no rows for landfall status before the first check, without targets', async () => {
    const host = TemporaryHost.with({ 'etc/landfall/site.json': site([]) });
    expect(watchedRows(await watchedState(host))).toEqual([]);
  });

  it.each(['{', '{"release": 1}'])('ignore an invalid site: %s', async (text) => {
    const host = TemporaryHost.with({ 'etc/landfall/site.json': text });
    expect(watchedRows(await watchedState(host))).toEqual([]);
  });
});
