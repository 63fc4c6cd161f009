import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { journalFile } from '#contract/server-paths.ts';
import { Journal } from '../../../../appliance/server/stage/journal.ts';
import { stageNames } from '../../../../appliance/server/stage/stage.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const release = '1.0.0';
const entry = { release, stage: 'ssh', event: 'started' } as const;

function freshJournal() {
  const host = TemporaryHost.with({});
  return { host, journal: new Journal(host), path: host.path(journalFile) };
}

describe('Journal', () => {
  it('returns no entries of a new journal', async () => {
    expect(await freshJournal().journal.entries()).toEqual([]);
  });

  it('returns the entries in order with their times', async () => {
    const { journal } = freshJournal();
    await journal.add(entry);
    await journal.add({ ...entry, event: 'failed', code: 'SSH_UNPROVEN', took: 12, own: 3 });
    expect(await journal.entries()).toMatchObject([
      { event: 'started', at: expect.stringMatching(/Z$/) },
      { event: 'failed', code: 'SSH_UNPROVEN', took: 12, own: 3 },
    ]);
  });

  it('writes one JSON object per line', async () => {
    const { journal, path } = freshJournal();
    await journal.add(entry);
    await journal.add(entry);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line).stage)).toEqual(['ssh', 'ssh']);
  });

  it('keeps the entries of the journal', async () => {
    const { host, journal } = freshJournal();
    await journal.add(entry);
    expect(await new Journal(host).entries()).toHaveLength(1);
  });

  it('skips invalid lines', async () => {
    const { journal, path } = freshJournal();
    await journal.add(entry);
    appendFileSync(path, 'null\n{}\n{"stage":"dance"}\n\n\0\0\0\n[]\n');
    await journal.add({ ...entry, event: 'applied' });
    expect((await journal.entries()).map(({ event }) => event)).toEqual(['started', 'applied']);
  });
});

describe('a journal after a power cut', () => {
  it('returns all complete entries and accepts new ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 400 }), async (cut) => {
        const { journal, path } = freshJournal();
        for (const event of ['started', 'applied', 'started'] as const) {
          await journal.add({ ...entry, event });
        }
        const whole = readFileSync(path, 'utf8');
        const kept = Math.min(cut, whole.length);
        truncateSync(path, kept);
        await journal.add({ ...entry, event: 'failed' });
        // A line without a line break is complete if it is valid JSON.
        const survivors = ['started', 'applied', 'started'].filter((_event, index) => {
          const end = whole
            .split('\n')
            .slice(0, index + 1)
            .join('\n').length;
          return kept >= end;
        });
        const events = (await journal.entries()).map(({ event }) => event);
        expect(events).toEqual([...survivors, 'failed']);
      }),
      { numRuns: fuzzRuns(60) },
    );
  });

  it('skips zero bytes, which some file systems leave', async () => {
    const { journal, path } = freshJournal();
    await journal.add(entry);
    appendFileSync(path, Buffer.alloc(4096));
    await journal.add({ ...entry, event: 'applied' });
    expect((await journal.entries()).map(({ event }) => event)).toEqual(['started', 'applied']);
  });

  it('reads a journal after its writer was killed at any time', async () => {
    const { host, journal, path } = freshJournal();
    for (let kill = 1; kill <= 5; kill += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', endless(host.root)]);
      // 'end' comes first if the program could not start.
      const said = await Promise.race([once(child.stdout, 'data'), once(child.stdout, 'end')]);
      expect(said).toHaveLength(1);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const lines = readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
      expect((await journal.entries()).length).toBeGreaterThanOrEqual(lines.length - kill);
    }
  });
});

/** Adds entries until it is killed. Prints a line after the third. */
function endless(root: string): string {
  const source = (path: string) =>
    JSON.stringify(fileURLToPath(new URL(`../../../../appliance/server/${path}`, import.meta.url)));
  return `
    import { Host } from ${source('host/host.ts')};
    import { runCommand } from ${source('host/run/command.ts')};
    import { Journal } from ${source('stage/journal.ts')};
    const journal = new Journal(new Host(${JSON.stringify(root)}, runCommand));
    for (let count = 1; ; count += 1) {
      await journal.add({ release: '1.0.0', stage: 'ssh', event: 'started' });
      if (count === 3) console.log('three');
    }`;
}

describe('isUnfinished', () => {
  it.each([
    ['never started', [], false],
    ['started', ['started'], true],
    ['started and ended', ['started', 'applied'], false],
    ['failed', ['started', 'failed'], true],
    ['failed, started again and ended', ['started', 'failed', 'started', 'applied'], false],
    ['had nothing to do', ['kept'], false],
    ['had nothing to do and then failed', ['kept', 'failed'], true],
    ['was interrupted twice', ['started', 'started'], true],
  ] as const)('%s', async (_case, events, answer) => {
    const { journal } = freshJournal();
    for (const event of events) await journal.add({ ...entry, event });
    expect(await journal.isUnfinished('ssh')).toBe(answer);
    expect(await journal.isUnfinished('ban')).toBe(false);
  });

  it('does not depend on the release', async () => {
    const { journal } = freshJournal();
    await journal.add({ ...entry, release: '0.9.0' });
    expect(await journal.isUnfinished('ssh')).toBe(true);
  });
});

describe('a large journal', () => {
  it('drops old entries but no stage', async () => {
    const { journal, path } = freshJournal();
    await journal.add({ ...entry, stage: 'models', event: 'started' });
    const line = JSON.stringify({ at: new Date().toISOString(), ...entry, event: 'failed' });
    appendFileSync(path, `${line}\n`.repeat(14_000));
    expect(statSync(path).size).toBeGreaterThan(1 << 20);
    await journal.add({ ...entry, event: 'started' });
    expect(statSync(path).size).toBeLessThan(1 << 18);
    expect(await journal.isUnfinished('models')).toBe(true);
    const entries = await journal.entries();
    expect(entries.at(0)).toMatchObject({ stage: 'models' });
    expect(entries.at(-1)).toMatchObject({ stage: 'ssh', event: 'started' });
  });

  it('keeps the last entry of every stage', async () => {
    const { journal, path } = freshJournal();
    for (const stage of stageNames) await journal.add({ release, stage, event: 'applied' });
    const line = JSON.stringify({ at: new Date().toISOString(), ...entry, event: 'failed' });
    writeFileSync(path, readFileSync(path, 'utf8') + `${line}\n`.repeat(14_000));
    await journal.add(entry);
    const stages = new Set((await journal.entries()).map(({ stage }) => stage));
    expect([...stages].sort()).toEqual([...stageNames].sort());
  });
});
