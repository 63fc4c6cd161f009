import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../../differential/random.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { disk, failing } from './failing-disk.ts';
import { RestoredServer } from './restored-server.ts';
import { ChangedSiteServer, siteBehaviours } from './site-server.ts';
import type { Outage, TransactionServer } from './transaction-server.ts';
import { UpdatedServer } from './updated-server.ts';

vi.mock('node:fs/promises', async (original) => failing(await original<object>()));

const programs = [/^docker /, / --phase (?:prepare|switch|verify)$/, /^systemd-run /, /./];

/** What happens to a server during one run of its transaction, or during several: a way back has five attempts. */
type Fault =
  | { readonly how: 'dead' | 'full'; readonly at: number }
  | { readonly how: 'outage'; readonly outage: Outage; readonly runs: number };

/** Servers with a transaction that is about to begin, by its kind, and what is special about each. */
const kinds: Readonly<
  Record<string, (random: Random) => { name: string; create: () => Promise<TransactionServer> }>
> = {
  update: (random) => {
    const behaviour = pick(random, [
      'works',
      'does not start',
      'starts late',
      'fails its tests',
    ] as const);
    const [closes, keepsPrevious] = [random.below(3) > 0, random.below(2) > 0];
    return {
      name: `${behaviour}, closes ${closes}, keeps ${keepsPrevious}`,
      create: async () => new UpdatedServer(behaviour, closes, keepsPrevious),
    };
  },
  restore: (random) => {
    const behaviour = pick(random, ['works', 'fails its tests'] as const);
    const isDamaged = random.below(3) === 0;
    return {
      name: `${behaviour}, damaged ${isDamaged}`,
      create: () => RestoredServer.create({ behaviour, isDamaged }),
    };
  },
  'change of the site': (random) => {
    const behaviour = pick(random, siteBehaviours);
    return { name: behaviour, create: () => ChangedSiteServer.create(behaviour) };
  },
};

function pick<T>(random: Random, all: readonly [T, ...T[]]): T {
  return all[random.below(all.length)] ?? all[0];
}

function faultsOf(random: Random): Fault[] {
  return Array.from({ length: 1 + random.below(4) }, (): Fault => {
    const at = random.below(100);
    const how = pick(random, ['dead', 'full', 'outage'] as const);
    if (how !== 'outage') return { how, at };
    const of = programs[random.below(programs.length)] ?? /./;
    const after = random.below(pick(random, [3, 20] as const));
    const outage = { of, after, calls: 1 + random.below(40) };
    return { how, outage, runs: 1 + random.below(8) };
  });
}

/** Runs after which a way back was stuck. */
let stuck = 0;

/** Applies a transaction with faults, then without any until it ends. Returns what was wrong after any run. */
async function survive(
  create: () => Promise<TransactionServer>,
  faults: readonly Fault[],
): Promise<string[]> {
  disk.reset();
  const server = await create();
  try {
    for (const fault of faults) {
      if (fault.how === 'outage') server.outage = { ...fault.outage };
      else disk.reset(fault.at, fault.how);
      for (let run = fault.how === 'outage' ? fault.runs : 1; run > 0; run -= 1) {
        await server.apply();
        disk.reset();
        const broken = server.broken();
        if (broken.length > 0) return broken;
        stuck += Number(server.open()?.state === 'stuck');
      }
    }
    server.outage = undefined;
    for (let boot = 0; boot < 12; boot += 1) {
      if (server.open()?.state === 'stuck') server.resume();
      const failure = await server.apply();
      const broken = server.broken();
      if (broken.length > 0) return broken;
      if (failure === undefined && server.open() === undefined) return await server.flaws();
    }
    return ['it does not end'];
  } finally {
    disk.reset();
    server.remove();
  }
}

describe('servers with power cuts, full disks and programs that fail for a while', () => {
  it.each([
    ['update', 500],
    ['restore', 250],
    ['change of the site', 250],
  ])('keep what belongs together, or the state of before, in each %s', async (kind, usual) => {
    const random = new Random(46);
    const lost: string[] = [];
    const servers = fuzzRuns(usual);
    stuck = 0;
    for (let tried = 0; tried < servers; tried += 1) {
      const faults = faultsOf(random);
      const { name, create } = kinds[kind]?.(random) ?? {};
      if (!create) throw new Error(`no server has the transaction ${kind}`);
      const flaws = await survive(create, faults);
      const text = JSON.stringify(faults, (_, value) =>
        value instanceof RegExp ? value.source : value,
      );
      if (flaws.length > 0) lost.push(`${flaws.join(', ')}: ${name}, ${text}`);
    }
    console.log(
      `${kind}: ${servers} servers, ${lost.length} with a broken invariant, ${stuck} runs stuck`,
    );
    expect(lost).toEqual([]);
  });
});
