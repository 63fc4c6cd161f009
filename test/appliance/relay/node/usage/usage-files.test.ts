import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Usage } from '../../../../../appliance/relay/budget/usage.ts';
import { openUsage } from '../../../../../appliance/relay/node/usage/open-usage.ts';
import { readStoredUsage } from '../../../../../appliance/relay/node/usage/stored-usage.ts';

const now = () => Date.parse('2027-03-31T12:00:00Z');
const day = '2027-03-31';
const uid = process.getuid?.() ?? 0;
const budget = { tokens_per_day: 1000 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-usage-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function open(): Promise<{ usage: Usage; close: () => Promise<void> }> {
  const { usage, problem, close } = await openUsage(folder, now);
  if (!usage || problem) throw new Error(`the store is unusable: ${problem}`);
  return { usage, close };
}

async function hold(usage: Usage, tokens: number, account = 'me') {
  const held = await usage.reserve(account, budget, { least: tokens, most: tokens });
  if (!held) throw new Error('the store is unusable');
  if ('exceeded' in held) throw new Error('the budget is exceeded');
  return held;
}

async function problemOf(): Promise<unknown> {
  const { usage, problem } = await openUsage(folder, now);
  expect(usage).toBeUndefined();
  return problem;
}

describe('the usage in a folder', () => {
  it('survives a restart, where requests in progress count as used', async () => {
    const first = await open();
    (await hold(first.usage, 500)).settle(300, false);
    (await hold(first.usage, 200)).release();
    const pending = await hold(first.usage, 100);
    pending.grow(50);
    await first.close();
    const second = await open();
    expect(second.usage.remaining('me', budget).tokens).toBe(550);
    await second.close();
    const third = await open();
    expect(third.usage.remaining('me', budget).tokens).toBe(550);
    await third.close();
  });

  it('writes a reservation before it grants it', async () => {
    const { usage, close } = await open();
    await hold(usage, 123);
    const stored = await readStoredUsage(folder, uid);
    if (typeof stored === 'string') throw new Error(stored);
    expect(stored.ledger.used('me', 'tokens_per_day', now())).toBe(123);
    await close();
  });

  it('writes requests that arrive together with one sync', async () => {
    const { usage, close } = await open();
    await Promise.all(Array.from({ length: 500 }, (_, n) => hold(usage, 1, `key-${n % 50}`)));
    const names = await readdir(folder);
    const [journal = ''] = names.filter((name) => name.startsWith('journal-'));
    const lines = (await readFile(join(folder, journal), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(500);
    await close();
  });

  it('lets requests share a write that arrive within a moment, while many are in progress', async () => {
    const { usage, close } = await open();
    for (let pending = 0; pending < 8; pending += 1) await hold(usage, 1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
    await hold(usage, 1);
    const granted = [1, 2, 3].map(() => hold(usage, 1));
    await Promise.all([1, 2, 3, 4, 5].map(() => setImmediate()));
    const [journal = ''] = (await readdir(folder)).filter((name) => name.startsWith('journal-'));
    const written = async () =>
      (await readFile(join(folder, journal), 'utf8')).split('\n').length - 1;
    expect(await written()).toBe(9);
    await vi.advanceTimersByTimeAsync(8);
    await Promise.all(granted);
    vi.useRealTimers();
    vi.restoreAllMocks();
    expect(await written()).toBe(12);
    await close();
  });

  it('writes an event that arrives while the last write ends', async () => {
    const { usage, close } = await open();
    // Each continues in the step in which the one before was written.
    for (let round = 0; round < 200; round += 1) {
      const chain = async (depth: number): Promise<void> => {
        for (let step = 0; step < depth; step += 1) await null;
        await usage.reserve('me', {}, { least: 0, most: 0 });
      };
      await Promise.all([0, 1, 2, 3, 4, 5].map(chain));
    }
    expect(usage.remaining('me', { requests_per_day: 2000 }).requests).toBe(800);
    await close();
  });

  it('writes nothing once it is closed, so that its folder can be removed', async () => {
    const { usage, close } = await open();
    const left = await Promise.all(Array.from({ length: 40 }, () => hold(usage, 1)));
    const closing = close();
    // Answers to clients that left are settled at any moment.
    for (const [index, each] of left.entries()) {
      each.settle(2, false);
      await (index % 2 === 0 ? null : setImmediate());
    }
    await closing;
    const names = await readdir(folder);
    expect(await usage.reserve('me', {}, { least: 0, most: 0 })).toBeUndefined();
    expect(await readdir(folder)).toEqual(names);
    const again = await open();
    expect(again.usage.remaining('me', budget).tokens).toBeLessThanOrEqual(960);
    await again.close();
  });

  it('compacts the journal, also with requests in progress', async () => {
    const { usage, close } = await open();
    const kept = await hold(usage, 400);
    for (let round = 0; round < 110; round += 1) {
      const held = await Promise.all(Array.from({ length: 100 }, () => hold(usage, 1, 'other')));
      for (const each of held) each.settle(0, false);
    }
    kept.settle(250, false);
    await close();
    const names = await readdir(folder);
    expect(names.sort()).toEqual(['journal-1.jsonl', 'person-key', 'state.json']);
    const again = await open();
    expect(again.usage.remaining('me', budget).tokens).toBe(750);
    await again.close();
  });

  it('ignores a torn last line', async () => {
    const { usage, close } = await open();
    (await hold(usage, 500)).settle(300, false);
    await close();
    await appendFile(join(folder, 'journal-0.jsonl'), '{"event":"settle","id":0,"to');
    const again = await open();
    expect(again.usage.remaining('me', budget).tokens).toBe(700);
    await again.close();
  });

  it('can be read while it is compacted', async () => {
    const { usage, close } = await open();
    for (let round = 0; round < 60; round += 1) {
      const reserving = Array.from({ length: 1000 }, () =>
        usage.reserve('me', {}, { least: 0, most: 0 }),
      );
      const [stored] = await Promise.all([readStoredUsage(folder, uid), ...reserving]);
      expect(stored).toBeTypeOf('object');
    }
    await close();
  });

  it('keeps 10,000 keys, and opens in less than two seconds', async () => {
    const days = { [day]: { tokens: 7, estimated: 0, requests: 1, refused: 0 } };
    const accounts = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, n) => [`key-${n}`, days]),
    );
    const state = { version: 1, journal: 4, latest: day, accounts, open: [] };
    await writeFile(join(folder, 'state.json'), JSON.stringify(state));
    const began = performance.now();
    const { usage, close } = await open();
    expect(performance.now() - began).toBeLessThan(2000);
    expect(usage.remaining('key-9999', budget).tokens).toBe(993);
    await close();
  });
});

describe('an unusable store', () => {
  it.each([
    ['no JSON', 'x', 'damaged'],
    [
      'a negative number',
      `{"version":1,"journal":-1,"latest":"${day}","accounts":{},"open":[]}`,
      'damaged',
    ],
    ['a future version', '{"version":2,"quotas":[]}', 'future'],
  ])('reports %s in its state', async (_, text, problem) => {
    await writeFile(join(folder, 'state.json'), text);
    expect(await problemOf()).toBe(problem);
  });

  it('reports a damaged line before the last one', async () => {
    const { close } = await open();
    await close();
    await appendFile(join(folder, 'journal-0.jsonl'), '{"event":"settle","id":0,"to\n{}\n');
    expect(await problemOf()).toBe('damaged');
  });

  it('reports a missing folder, and one of another user', async () => {
    expect(await readStoredUsage(folder, uid + 1)).toBe('foreign');
    expect(await readStoredUsage(join(folder, 'none'), uid)).toBe('missing');
  });

  it('follows no link to a file elsewhere', async () => {
    await writeFile(join(folder, 'elsewhere'), '{}');
    await symlink('elsewhere', join(folder, 'state.json'));
    expect(await problemOf()).toBe('damaged');
  });

  it('writes nothing for a refusal, until another event or the end', async () => {
    const { usage, close } = await open();
    (await hold(usage, 900)).settle(900, false);
    const journal = async () => {
      const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('journal'));
      return (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1);
    };
    await vi.waitFor(async () => expect(await journal()).toHaveLength(2));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    for (let count = 0; count < 50; count += 1)
      await usage.reserve('me', budget, { least: 200, most: 200 });
    expect(timers.mock.calls.map(([, wait]) => wait)).toEqual([60_000]);
    vi.restoreAllMocks();
    expect(await journal()).toHaveLength(2);
    (await hold(usage, 1)).release();
    expect((await journal()).filter((line) => line.includes('refuse'))).toHaveLength(50);
    await usage.reserve('me', budget, { least: 200, most: 200 });
    await close();
    const stored = await readStoredUsage(folder, uid);
    if (typeof stored === 'string') throw new Error(stored);
    expect(stored.ledger.total('me', day).refused).toBe(51);
  });

  it('refuses requests while the disk is full, and grants them afterwards', async () => {
    await symlink('/dev/full', join(folder, 'journal-0.jsonl'));
    const { usage, close } = await open();
    const want = { least: 100, most: 100 };
    const refused = await Promise.all([1, 2, 3].map(() => usage.reserve('me', budget, want)));
    expect(refused).toEqual([undefined, undefined, undefined]);
    await hold(usage, 100);
    expect(usage.remaining('me', budget).tokens).toBe(900);
    await close();
    const again = await open();
    expect(again.usage.remaining('me', budget).tokens).toBe(900);
    await again.close();
  });

  it('reports a folder in which it cannot write, and grants requests once it can', async () => {
    const obstacle = join(folder, 'state.json.landfall-new');
    await mkdir(obstacle);
    const { usage, problem, close } = await openUsage(folder, now);
    expect(problem).toBe('unwritable');
    const want = { least: 1, most: 1 };
    expect(await usage?.reserve('me', budget, want)).toBeUndefined();
    await rm(obstacle, { recursive: true });
    expect(await usage?.reserve('me', budget, want)).toHaveProperty('tokens', 1);
    await close();
  });
});

describe('the hashes of people', () => {
  it('stay the same after a restart, and differ between servers', async () => {
    const { personOf, close } = await openUsage(folder, now);
    const hash = personOf('Anna@example.com');
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    await close();
    const again = await openUsage(folder, now);
    expect(again.personOf('anna@example.com')).toBe(hash);
    await again.close();
    await rm(join(folder, 'person-key'));
    const other = await openUsage(folder, now);
    expect(other.personOf('anna@example.com')).not.toBe(hash);
    await other.close();
  });
});
