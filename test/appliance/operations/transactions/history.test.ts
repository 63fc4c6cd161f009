import { linkSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addToHistory,
  type EndedUpdate,
  lastToUndo,
  readHistory,
  releaseBefore,
  whyGivenUp,
} from '../../../../appliance/operations/transactions/history.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const file = 'var/lib/landfall/update/history.jsonl';

const manifest = 'a'.repeat(64);

function ended(id: string, change: Partial<EndedUpdate> = {}): EndedUpdate {
  return {
    ...{ at: '2026-01-01T00:00:00.000Z', id, kind: 'update', from: '1.0.0', to: '1.1.0' },
    ...{ manifest, outcome: 'committed', took: 1, closed: null },
    ...{ keepsPrevious: true, reason: null },
    ...change,
  };
}

/** A backup that was restored on 1.1.0. */
function restored(id: string, change: Partial<EndedUpdate> = {}): EndedUpdate {
  return ended(id, { kind: 'restore', from: '1.1.0', ...change });
}

async function serverAfter(...entries: readonly EndedUpdate[]): Promise<TemporaryHost> {
  const host = TemporaryHost.with({});
  for (const entry of entries) await addToHistory(host, entry);
  return host;
}

it('records each update once', async () => {
  const host = TemporaryHost.with({});
  for (const id of ['one', 'two', 'two']) await addToHistory(host, ended(id));
  expect((await readHistory(host)).map(({ id }) => id)).toEqual(['one', 'two']);
});

it('reads an update that follows an incomplete line', async () => {
  const whole = JSON.stringify(ended('one'));
  const host = TemporaryHost.with({ [file]: `${whole}\n${whole.slice(0, 40)}` });
  await addToHistory(host, ended('two'));
  expect((await readHistory(host)).map(({ id }) => id)).toEqual(['one', 'two']);
});

it('replaces the file, so that a power cut loses no earlier update', async () => {
  const host = TemporaryHost.with({ [file]: `${JSON.stringify(ended('one'))}\n` });
  const before = readFileSync(host.path(file), 'utf8');
  linkSync(host.path(file), host.path(`${file}.before`));
  await addToHistory(host, ended('two'));
  expect(readFileSync(host.path(`${file}.before`), 'utf8')).toBe(before);
});

describe('a server with restored backups', () => {
  const failed: Partial<EndedUpdate> = {
    outcome: 'rolled-back',
    reason: { code: 'SMOKE_FAILED', message: 'no answer', problems: [] },
  };

  it('goes back to the release before its last update, also after a restore', async () => {
    const host = await serverAfter(ended('one'), restored('two'), restored('three', failed));
    expect(releaseBefore(await readHistory(host), '1.1.0')).toMatchObject({
      from: '1.0.0',
      id: 'one',
    });
  });

  it('finds no release before the first one, although a backup was restored', async () => {
    const host = await serverAfter(restored('one'));
    expect(releaseBefore(await readHistory(host), '1.1.0')).toBeUndefined();
  });

  it('gives up no release because a restore failed', async () => {
    const host = await serverAfter(ended('one'), restored('two', failed));
    expect(await whyGivenUp(host, { version: '1.1.0', manifest })).toBeUndefined();
  });

  it('still gives up a release that failed before a restore', async () => {
    const again = restored('two', { from: '1.0.0', to: '1.0.0' });
    const host = await serverAfter(ended('one', failed), again);
    expect(await whyGivenUp(host, { version: '1.1.0', manifest })).toMatchObject({
      reason: 'no answer',
    });
    const same = await serverAfter(ended('one', failed), restored('two'));
    expect(await whyGivenUp(same, { version: '1.1.0', manifest })).toBeDefined();
  });

  it.each<[string, EndedUpdate[], string | undefined]>([
    ['the last restore', [restored('one'), restored('two')], 'two'],
    ['a restore after an update', [ended('one'), restored('two')], 'two'],
    ['a restore before a failed one', [restored('one'), restored('two', failed)], 'one'],
    ['a restore before a failed update', [restored('one'), ended('two', failed)], 'one'],
    ['no restore before an update', [restored('one'), ended('two')], undefined],
    [
      'no restore before a rollback',
      [restored('one'), ended('two', { kind: 'rollback' })],
      undefined,
    ],
    ['no restore that failed', [restored('one', failed)], undefined],
    ['no restore without a history', [], undefined],
  ])('undoes %s', async (_what, entries, id) => {
    expect(lastToUndo(await readHistory(await serverAfter(...entries)), 'data')?.id).toBe(id);
  });
});
