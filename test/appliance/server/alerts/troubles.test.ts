import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { alertsFile } from '#contract/server-paths.ts';
import { announceTroubles, type Trouble } from '../../../../appliance/server/alerts/troubles.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const failed: Trouble = { id: 'a', state: 'failed', subject: 'backup to x', command: 'run this' };
const notice: Trouble = { ...failed, id: 'b', state: 'notice', subject: 'x is nearly full' };

let host: TemporaryHost;
beforeEach(() => {
  host = TemporaryHost.with({}, { hostname: 'box' });
});

/** Announces troubles, and returns the messages that wait in the queue. */
async function announce(...troubles: readonly Trouble[]) {
  // Its secret is not set, so that messages stay in the queue.
  const { site } = contextFor(host, { site: { alerts: [{ kind: 'ntfy' }] } });
  await announceTroubles(host, site, async () => troubles);
  try {
    return JSON.parse(readFileSync(host.path(alertsFile), 'utf8')).ntfy.unsent;
  } catch {
    return [];
  }
}

describe('alerts about troubles', () => {
  it('sends one alert when a trouble begins, and one when it ends', async () => {
    const [first] = await announce({ ...failed, detail: 'it is away' });
    expect(first).toMatchObject({ subject: 'backup to x', state: 'failed', detail: 'it is away' });
    expect(await announce({ ...failed, detail: 'another reason' })).toEqual([first]);
    const [last] = await announce();
    expect(last).toMatchObject({ state: 'working', since: first.since });
    expect(await announce()).toEqual([last]);
  });

  it('announces the end of a notice in another sentence, or not at all', async () => {
    await announce(notice, { ...notice, id: 'c', subject: 'y is full', over: 'y has space again' });
    const after = await announce();
    expect(after.map(({ subject }: Trouble) => subject)).toEqual([
      ...['x is nearly full', 'y is full', 'y has space again'],
    ]);
  });

  it('forgets a notice that has ended without an alert', async () => {
    await announce(notice);
    await announce();
    const known: string[][] = [];
    const { site } = contextFor(host, {});
    await announceTroubles(host, site, async (ids) => {
      known.push([...ids]);
      return [notice];
    });
    await announceTroubles(host, site, async (ids) => {
      known.push([...ids]);
      return [notice];
    });
    expect(known).toEqual([[], ['b']]);
  });
});
