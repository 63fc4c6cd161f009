import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../../differential/random.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { disk, failing } from './failing-disk.ts';
import type { Outage } from './transaction-server.ts';
import { type Behaviour, UpdatedServer } from './updated-server.ts';

vi.mock('node:fs/promises', async (original) => failing(await original<object>()));

const behaviours: readonly Behaviour[] = ['works', 'does not start', 'fails its tests'];
const programs = [/^docker /, / --phase (?:prepare|switch|verify)$/, /^systemd-run /, /./];

/** What happens to a server during one run of its update. */
type Fault =
  | { readonly how: 'dead' | 'full'; readonly at: number }
  | { readonly how: 'outage'; readonly outage: Outage };

interface Plan {
  readonly behaviour: Behaviour;
  readonly closes: boolean;
  readonly keepsPrevious: boolean;
  readonly faults: readonly Fault[];
}

function planOf(random: Random): Plan {
  const faults = Array.from({ length: 1 + random.below(4) }, (): Fault => {
    const at = random.below(100);
    const how = (['dead', 'full', 'outage'] as const)[random.below(3)] ?? 'dead';
    if (how !== 'outage') return { how, at };
    const of = programs[random.below(programs.length)] ?? /./;
    return { how, outage: { of, after: random.below(20), calls: 1 + random.below(40) } };
  });
  return {
    behaviour: behaviours[random.below(behaviours.length)] ?? 'works',
    closes: random.below(3) > 0,
    keepsPrevious: random.below(2) > 0,
    faults,
  };
}

/** Applies an update with its faults, then without any until it ends. Returns what was wrong after any run. */
async function survive({ behaviour, closes, keepsPrevious, faults }: Plan): Promise<string[]> {
  disk.reset();
  const server = new UpdatedServer(behaviour, closes, keepsPrevious);
  try {
    for (const fault of faults) {
      if (fault.how === 'outage') server.outage = { ...fault.outage };
      else disk.reset(fault.at, fault.how);
      await server.apply();
      disk.reset();
      const broken = server.broken();
      if (broken.length > 0) return broken;
    }
    server.outage = undefined;
    for (let boot = 0; boot < 12; boot += 1) {
      if (server.open()?.state === 'stuck') server.resume();
      const failure = await server.apply();
      const broken = server.broken();
      if (broken.length > 0) return broken;
      if (failure === undefined && server.open() === undefined) return server.flaws();
    }
    return ['it does not end'];
  } finally {
    disk.reset();
    server.remove();
  }
}

describe('servers with power cuts, full disks and programs that fail for a while', () => {
  it('keep data, secrets and release together, or the copy and a state that says so', async () => {
    const random = new Random(46);
    const lost: string[] = [];
    const servers = fuzzRuns(500);
    for (let tried = 0; tried < servers; tried += 1) {
      const plan = planOf(random);
      const flaws = await survive(plan);
      const text = JSON.stringify(plan, (_, value) =>
        value instanceof RegExp ? value.source : value,
      );
      if (flaws.length > 0) lost.push(`${flaws.join(', ')}: ${text}`);
    }
    console.log(`${servers} servers: ${lost.length} with a broken invariant`);
    expect(lost).toEqual([]);
  });
});
