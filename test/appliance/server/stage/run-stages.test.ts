import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { installedMark, journalFile } from '#contract/server-paths.ts';
import { writeText } from '../../../../appliance/server/host/files.ts';
import { Journal, unfinishedRun } from '../../../../appliance/server/stage/journal.ts';
import {
  type Observer,
  runAlone,
  runIfNeeded,
  runStages,
} from '../../../../appliance/server/stage/run-stages.ts';
import type { Stage } from '../../../../appliance/server/stage/stage.ts';
import { retryOf } from '../../../../appliance/server/stage/stage-error.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { stageCalled } from './fixture.ts';

/** Runs stages repeatedly on one fresh server. */
function server() {
  const host = TemporaryHost.with({}, { 'sync --file-system': '' });
  const journal = new Journal(host);
  const seen: string[] = [];
  const observer: Observer = {
    started: async (name) => void seen.push(`${name} started`),
    ended: async (name, outcome) => void seen.push(`${name} ${outcome}`),
    failed: async (name, { code }) => void seen.push(`${name} failed ${code}`),
  };
  const run = (...stages: readonly Stage[]) =>
    runStages(stages, contextFor(host), journal, observer);
  return { host, journal, observer, seen, run };
}

/** A stage that has nothing to do after it was applied completely. */
function lasting(name: Stage['name'], calls: string[]): Stage {
  let isThere = false;
  return stageCalled(name, {
    check: async () => (isThere ? [] : [`make ${name}`]),
    apply: async () => {
      calls.push(name);
      isThere = true;
    },
    prove: async () => {
      if (!isThere) throw new LandfallError('STATE_INVALID', 'it is missing');
    },
  });
}

describe('runStages', () => {
  it('applies and verifies the stages in order', async () => {
    const { run, seen, journal } = server();
    const calls: string[] = [];
    await run(lasting('users', calls), lasting('ssh', calls));
    expect(calls).toEqual(['users', 'ssh']);
    expect(seen).toEqual(['users started', 'users applied', 'ssh started', 'ssh applied']);
    expect((await journal.entries()).map(({ stage, event }) => `${stage} ${event}`)).toEqual([
      'users started',
      'users applied',
      'ssh started',
      'ssh applied',
    ]);
  });

  it('changes nothing in the second run, but verifies the stages', async () => {
    const { run, seen } = server();
    const calls: string[] = [];
    const prove = vi.fn(async () => {});
    const stages = [{ ...lasting('users', calls), prove }];
    await run(...stages);
    await run(...stages);
    expect(calls).toEqual(['users']);
    expect(prove).toHaveBeenCalledTimes(2);
    expect(seen.at(-1)).toBe('users kept');
  });

  it('does not start a stage before the previous one is verified', async () => {
    const { run, seen } = server();
    const late = vi.fn(async () => []);
    const prove = async () => {
      throw new LandfallError('SSH_UNPROVEN', 'the login failed');
    };
    await expect(
      run(stageCalled('ssh', { prove }), stageCalled('ban', { check: late })),
    ).rejects.toMatchObject({ code: 'SSH_UNPROVEN' });
    expect(late).not.toHaveBeenCalled();
    expect(seen).toEqual(['ssh started', 'ssh failed SSH_UNPROVEN']);
  });

  it('syncs the disks before the journal entry', async () => {
    const known: string[][] = [];
    const host: TemporaryHost = TemporaryHost.with(
      {},
      {
        sync: () => {
          known.push(readFileSync(host.path(journalFile), 'utf8').match(/"event":"\w+"/g) ?? []);
          return 0;
        },
      },
    );
    const { observer } = server();
    const [journal, stage] = [new Journal(host), lasting('users', [])];
    await runStages([stage], contextFor(host), journal, observer);
    expect(known).toEqual([['"event":"started"']]);
    await runStages([stage], contextFor(host), journal, observer);
    expect(known).toHaveLength(1);
  });

  it('writes the start entry before it applies a stage', async () => {
    const { run, journal } = server();
    const events: string[] = [];
    const apply = async () => {
      events.push(...(await journal.entries()).map(({ event }) => event));
    };
    await run(stageCalled('users', { check: async () => ['something'], apply }));
    expect(events).toEqual(['started']);
  });
});

describe('a stage that fails', () => {
  const failing = (error: unknown) =>
    stageCalled('firewall', {
      check: async () => ['something'],
      apply: async () => {
        throw error;
      },
    });

  it('throws an error with stage, code, problems and hint', async () => {
    const { run } = server();
    const error = new LandfallError('FIREWALL_INVALID', 'nft refused the table', {
      hint: 'Look at it.',
      problems: [{ message: 'line 3' }],
    });
    await expect(run(failing(error))).rejects.toMatchObject({
      code: 'FIREWALL_INVALID',
      message: 'firewall: nft refused the table',
      hint: 'Look at it.',
      problems: [{ message: 'line 3' }],
    });
  });

  it('adds a hint to a failed stage even if its cause has none', async () => {
    const { run } = server();
    const error = new LandfallError('COMMAND_FAILED', 'nft exited with code 1');
    await expect(run(failing(error))).rejects.toMatchObject({
      hint: expect.stringContaining('journalctl'),
    });
  });

  it('does not refer to the log on an installed server', async () => {
    const { host, run } = server();
    await writeText(host, installedMark, '1.0.0\n');
    for (const error of [new LandfallError('COMMAND_FAILED', 'x'), new TypeError('x')]) {
      await expect(run(failing(error))).rejects.toSatisfy(
        ({ hint = '' }: LandfallError) => !hint.includes('journalctl'),
      );
    }
  });

  it.each([
    [true, false, 'it is retried automatically'],
    [false, false, 'it continues automatically after the fix'],
    [true, true, 'run: sudo landfall first-boot'],
    [false, true, 'after the fix, run: sudo landfall first-boot'],
  ])(
    'adds retry advice to a failed stage (retriable: %s, installed: %s): %s',
    async (retriable, installed, expected) => {
      const { host, run } = server();
      if (installed) await writeText(host, installedMark, '1.0.0\n');
      const cause = new LandfallError('COMMAND_FAILED', 'x', { hint: 'Look.', retriable });
      const error = await run(failing(cause)).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ stage: 'firewall', hint: 'Look.', retriable, installed });
      expect(retryOf(error)).toBe(expected);
    },
  );

  it.each([[new TypeError('x is undefined')], ['a string'], [undefined]])(
    'becomes STAGE_FAILED for an unexpected error: %s',
    async (thrown) => {
      const { run, journal } = server();
      await expect(run(failing(thrown))).rejects.toMatchObject({ code: 'STAGE_FAILED' });
      expect((await journal.entries()).at(-1)).toMatchObject({
        stage: 'firewall',
        event: 'failed',
        code: 'STAGE_FAILED',
      });
    },
  );

  it('throws its error even if the journal cannot be written', async () => {
    const { host, journal, observer, seen } = server();
    const error = new LandfallError('DISK_FULL', 'no space is left');
    vi.spyOn(journal, 'add').mockRejectedValueOnce(error).mockRejectedValue(new Error('EIO'));
    const run = runStages([failing(error)], contextFor(host), journal, observer);
    await expect(run).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(seen).toEqual(['firewall started', 'firewall failed DISK_FULL']);
  });
});

describe('the next run', () => {
  it('applies a failed stage again even if it has nothing to do', async () => {
    const { run } = server();
    const apply = vi.fn(async () => {});
    let works = false;
    const prove = async () => {
      if (!works) throw new LandfallError('STACK_UNHEALTHY', 'not yet');
    };
    const stage = stageCalled('stack', { apply, prove });
    await expect(run(stage)).rejects.toThrow('not yet');
    expect(apply).not.toHaveBeenCalled();
    works = true;
    await run(stage);
    expect(apply).toHaveBeenCalledTimes(1);
    await run(stage);
    expect(apply).toHaveBeenCalledTimes(1);
  });

  it('applies an interrupted stage again even if it has nothing to do', async () => {
    const { run, journal } = server();
    await journal.add({ release: '1.0.0', stage: 'stack', event: 'started' });
    const apply = vi.fn(async () => {});
    await run(stageCalled('stack', { apply }));
    expect(apply).toHaveBeenCalledTimes(1);
  });

  it('reaches the same result in the next run wherever the first run was killed', async () => {
    const names = ['users', 'ssh', 'firewall', 'ban'] as const;
    const steps = ['check', 'apply', 'half', 'prove'] as const;
    const point = fc.record({ stage: fc.constantFrom(...names), step: fc.constantFrom(...steps) });
    await fc.assert(
      fc.asyncProperty(fc.array(point, { maxLength: 4 }), async (kills) => {
        const { host, observer, journal } = server();
        const state = new Map<string, 'half' | 'whole'>();
        for (const kill of [...kills, undefined]) {
          const stages = names.map((name) => killable(name, state, kill));
          const run = runStages(stages, contextFor(host), diesWith(host), observer);
          await run.catch(() => {});
        }
        expect([...state.values()]).toEqual(names.map(() => 'whole'));
        expect([...state.keys()]).toEqual([...names]);
        const last = names.map(
          async (name) => (await journal.entries()).findLast(({ stage }) => stage === name)?.event,
        );
        for (const event of await Promise.all(last)) expect(event).toMatch(/^(applied|kept)$/);
      }),
      { numRuns: fuzzRuns(100) },
    );
  });
});

/** Simulates SIGKILL: nothing more is done or written. */
class Killed extends Error {}

/** A journal that writes nothing after the simulated kill. */
function diesWith(host: TemporaryHost): Journal {
  const journal = new Journal(host);
  const add = journal.add.bind(journal);
  journal.add = async (entry) => {
    if (entry.event === 'failed') throw new Killed();
    await add(entry);
  };
  return journal;
}

/** A stage that is incomplete after a kill but reports nothing to do. */
function killable(
  name: Stage['name'],
  state: Map<string, 'half' | 'whole'>,
  kill: { stage: string; step: string } | undefined,
): Stage {
  const dieAt = (step: string) => {
    if (kill?.stage === name && kill.step === step) throw new Killed();
  };
  return stageCalled(name, {
    check: async () => {
      dieAt('check');
      return state.has(name) ? [] : ['make it'];
    },
    apply: async () => {
      dieAt('apply');
      if (!state.has(name)) state.set(name, 'half');
      dieAt('half');
      state.set(name, 'whole');
    },
    prove: async () => dieAt('prove'),
  });
}

describe('the times of a stage', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('measures the total time and the own time of a stage', async () => {
    const { host, journal, observer } = server();
    const context = contextFor(host);
    const apply = async () => {
      vi.advanceTimersByTime(200);
      await host.outside.measure(async () => {
        vi.advanceTimersByTime(5000);
      });
    };
    const stage = stageCalled('images', { check: async () => ['pull'], apply });
    await runStages([stage], context, journal, observer);
    expect((await journal.entries()).at(-1)).toMatchObject({ took: 5200, own: 200 });
  });

  it('do not include the waiting time of the previous stage', async () => {
    const { host, journal, observer } = server();
    const wait = async () => {
      await host.outside.measure(async () => {
        vi.advanceTimersByTime(9000);
      });
    };
    const prove = async () => {
      vi.advanceTimersByTime(30);
    };
    const stages = [stageCalled('images', { prove: wait }), stageCalled('secrets', { prove })];
    await runStages(stages, contextFor(host), journal, observer);
    expect(await journal.entries()).toMatchObject([
      { stage: 'images', took: 9000, own: 0 },
      { stage: 'secrets', took: 30, own: 30 },
    ]);
  });

  it('records the times of a failed stage', async () => {
    const { run, journal } = server();
    const prove = async () => {
      vi.advanceTimersByTime(70);
      throw new LandfallError('SMOKE_FAILED', 'no answer');
    };
    await expect(run(stageCalled('smoke', { prove }))).rejects.toThrow('no answer');
    expect((await journal.entries()).at(-1)).toMatchObject({ event: 'failed', took: 70 });
  });
});

describe('the journal of a run', () => {
  it('contains the release', async () => {
    const { run, host, journal } = server();
    await run(stageCalled('users'));
    expect(await journal.entries()).toMatchObject([{ release: '1.0.0', event: 'kept' }]);
    expect(host.path(journalFile)).toContain('journal.jsonl');
  });
});

// `landfall secret set` applied the stack without lock, journal or verification.
describe('runAlone', () => {
  const failing = stageCalled('stack', {
    check: async () => ['start it'],
    apply: async () => {},
    prove: async () => {
      throw new LandfallError('STACK_UNHEALTHY', 'the relay does not come up');
    },
  });

  it('records the stage and keeps the state of the previous run', async () => {
    const { run, host, journal } = server();
    await run(lasting('report', []));
    await runAlone(lasting('stack', []), contextFor(host), journal);
    expect((await journal.entries()).slice(2)).toMatchObject([
      { stage: 'stack', event: 'started', alone: true },
      { stage: 'stack', event: 'applied', alone: true },
    ]);
    expect(await unfinishedRun(host)).toBeUndefined();
  });

  it('does not hide a failure of the previous run', async () => {
    const { run, host, journal } = server();
    await expect(run(failing)).rejects.toThrow('does not come up');
    await runAlone(lasting('users', []), contextFor(host), journal);
    expect(await unfinishedRun(host)).toMatchObject({ end: 'failed', stage: 'stack' });
  });

  it('verifies the stage and records a failure', async () => {
    const { run, host, journal } = server();
    await run(lasting('report', []));
    await writeText(host, installedMark, '1.0.0\n');
    await expect(runAlone(failing, contextFor(host), journal)).rejects.toMatchObject({
      code: 'STACK_UNHEALTHY',
      installed: true,
      retriable: true,
    });
    expect(await unfinishedRun(host)).toEqual({
      ...{ end: 'failed', stage: 'stack', code: 'STACK_UNHEALTHY' },
    });
    expect(await journal.isUnfinished('stack')).toBe(true);
  });
});

describe('runIfNeeded', () => {
  it('leaves a stage with nothing to do alone', async () => {
    const { host, journal } = server();
    const context = contextFor(host);
    const prove = vi.fn(async () => {});
    await runIfNeeded(stageCalled('ssh', { prove }), context, journal);
    expect(prove).not.toHaveBeenCalled();
    expect([await journal.entries(), context.said]).toEqual([[], []]);
  });

  it('runs a stage with something to do, and says its title', async () => {
    const { host, journal } = server();
    const [context, calls] = [contextFor(host), [] as string[]];
    await runIfNeeded(lasting('users', calls), context, journal);
    expect([calls, context.said]).toEqual([['users'], ['users: for a test']]);
  });

  it('runs a stage whose last run was interrupted', async () => {
    const { host, journal } = server();
    const apply = vi.fn(async () => {});
    await journal.add({ release: '1.0.0', stage: 'ssh', event: 'started' });
    await runIfNeeded(stageCalled('ssh', { apply }), contextFor(host), journal);
    expect(apply).toHaveBeenCalledOnce();
  });

  it('throws and records the error of a check that fails', async () => {
    const { host, journal } = server();
    const check = () => Promise.reject(new LandfallError('COMMAND_FAILED', 'Docker hangs'));
    const run = runIfNeeded(stageCalled('stack', { check }), contextFor(host), journal);
    await expect(run).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(await journal.entries()).toMatchObject([{ stage: 'stack', event: 'failed' }]);
  });
});
