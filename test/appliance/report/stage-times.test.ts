import { describe, expect, it } from 'vitest';
import { stageTimes } from '../../../appliance/report/stage-times.ts';
import { Journal, type JournalEntry } from '../../../appliance/stage/journal.ts';
import { TemporaryHost } from '../temporary-host.ts';

async function timesOf(...entries: ReadonlyArray<Omit<JournalEntry, 'at' | 'release'>>) {
  const host = TemporaryHost.with({});
  const journal = new Journal(host);
  for (const entry of entries) await journal.add({ release: '1.0.0', ...entry });
  return await stageTimes(host);
}

describe('the time of a stage', () => {
  it('is taken from the journal, in the order of the stages', async () => {
    expect(
      await timesOf(
        { stage: 'ssh', event: 'applied', took: 3000, own: 20 },
        { stage: 'users', event: 'applied', took: 1000, own: 10 },
      ),
    ).toEqual({
      stages: [
        { name: 'users', title: 'users', outcome: 'applied', took: 1000, own: 10 },
        { name: 'ssh', title: 'ssh', outcome: 'applied', took: 3000, own: 20 },
      ],
      took: 4000,
      own: 30,
    });
  });

  it('is that of the run that applied it, not of later runs', async () => {
    const { stages } = await timesOf(
      { stage: 'images', event: 'started' },
      { stage: 'images', event: 'applied', took: 90_000, own: 500 },
      { stage: 'images', event: 'kept', took: 700, own: 20 },
    );
    expect(stages).toMatchObject([{ outcome: 'applied', took: 90_000 }]);
  });

  it('is that of the check if the stage had nothing to do', async () => {
    const { stages } = await timesOf({ stage: 'images', event: 'kept', took: 700, own: 20 });
    expect(stages).toMatchObject([{ outcome: 'kept', took: 700 }]);
  });

  it('does not include failed and interrupted runs', async () => {
    const { stages, took } = await timesOf(
      { stage: 'stack', event: 'started' },
      { stage: 'tls', event: 'failed', took: 5000, own: 10, code: 'TLS_MATERIAL' },
    );
    expect(stages).toEqual([]);
    expect(took).toBe(0);
  });
});
