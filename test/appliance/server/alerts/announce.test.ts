import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { alertsFile } from '#contract/server-paths.ts';
import { inBoth } from '#contract/text/language.ts';
import { announceConditions } from '../../../../appliance/server/alerts/announce.ts';
import type { Alert } from '../../../../appliance/server/alerts/message.ts';
import {
  type Condition,
  failed as failedThing,
  type Known,
} from '../../../../appliance/server/conditions/condition.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const rest = { topic: 'disk', severity: 'attention', command: 'run this' } as const;
const failed = (reason?: string) =>
  failedThing(inBoth('backup to x'), reason === undefined ? undefined : inBoth(reason), {
    ...rest,
    subject: 'a',
  });
const notice: Condition = { ...rest, subject: 'b', what: inBoth('x is nearly full') };

let host: TemporaryHost;
beforeEach(() => {
  host = TemporaryHost.with({}, { hostname: 'box' });
});

/** Announces conditions, and returns the messages that wait in the queue. */
async function announce(...conditions: readonly Condition[]) {
  // Its secret is not set, so that messages stay in the queue.
  const { site } = contextFor(host, { site: { alerts: [{ kind: 'ntfy' }] } });
  await announceConditions(host, site, async () => conditions);
  try {
    return JSON.parse(readFileSync(host.path(alertsFile), 'utf8')).ntfy.unsent;
  } catch {
    return [];
  }
}

describe('alerts about conditions', () => {
  it('sends one alert when a thing fails, and one when it works again', async () => {
    const [first] = await announce(failed('it is away'));
    expect(first).toMatchObject({ subject: 'backup to x', state: 'failed', detail: 'it is away' });
    expect(await announce(failed('another reason'))).toEqual([first]);
    const [last] = await announce();
    expect(last).toMatchObject({ state: 'working', since: first.since });
    expect(await announce()).toEqual([last]);
  });

  it('announces the end of a notice in another sentence, or not at all', async () => {
    const over = inBoth('y has space again');
    await announce(notice, { ...notice, subject: 'c', what: inBoth('y is full'), over });
    const after = await announce();
    expect(after.map(({ subject }: Alert) => subject)).toEqual([
      ...['x is nearly full', 'y is full', 'y has space again'],
    ]);
  });

  it('forgets a notice that has ended without an alert', async () => {
    await announce(notice);
    await announce();
    const known: boolean[] = [];
    const { site } = contextFor(host, {});
    const gather = async (ids: Known) => {
      known.push(ids.has('disk b'));
      return [notice];
    };
    await announceConditions(host, site, gather);
    await announceConditions(host, site, gather);
    expect(known).toEqual([false, true]);
  });

  it('sends none for a note', async () => {
    expect(await announce({ ...notice, severity: 'note' })).toEqual([]);
  });
});
