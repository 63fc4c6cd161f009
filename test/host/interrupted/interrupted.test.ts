import { afterAll, beforeAll, expect, it } from 'vitest';
import type { StageName } from '../../../appliance/server/stage/stage.ts';
import { stages } from '../../../appliance/stages/first-boot.ts';
import { chatUrl, openPremises } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { type End, killInStage } from './kill-in-stage.ts';
import { portraitOf } from './portrait.ts';

/**
 * Seed of the moments in a stage to kill. This one hits most stages; LANDFALL_TEST_SEED sets
 * another.
 */
const seed = Number(process.env.LANDFALL_TEST_SEED ?? 12_342);
/** Seconds. Landfall's own code takes no longer in any stage; apt and Docker may. */
const max = 4;

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');

given.describe(`a first boot of ${distribution} that is killed in every stage`, () => {
  let killed: Premises;
  /** A server from the same user-data whose first boot is not interrupted. */
  let plain: Premises;
  const ends = new Map<StageName, End>();

  beforeAll(async () => {
    killed = await openPremises(given, distribution);
    await Promise.all([killInEach(), bootPlain()]);
  });
  afterAll(() => killed?.close());

  async function killInEach(): Promise<void> {
    for (const [index, { name }] of stages.entries()) {
      ends.set(name, await killInStage(killed.host, name, momentOf(index)));
    }
    console.log(`LANDFALL_TEST_SEED=${seed}:`, JSON.stringify(Object.fromEntries(ends)));
    await killed.comeUp();
  }

  async function bootPlain(): Promise<void> {
    plain = await killed.another();
    await plain.comeUp();
  }

  it('was killed in several stages of each half', () => {
    const middle = Math.ceil(stages.length / 2);
    const found = [...ends.values()];
    for (const half of [found.slice(0, middle), found.slice(middle)]) {
      expect(half.filter((end) => end === 'killed').length).toBeGreaterThan(2);
    }
    expect(found).not.toContain('failed');
  });

  it('accepts its administrator', async () => {
    expect(await killed.asAdministrator('sudo -n true')).toMatchObject({ exitCode: 0 });
    const page = await killed.administrator.fetch(chatUrl);
    expect(page).toMatchObject({ status: 200 });
  });

  it('ends in the same state as an uninterrupted server', async () => {
    expect(await portraitOf(killed.host)).toEqual(await portraitOf(plain.host));
  });
});

/** Returns a pseudorandom number from 0 to `max` (Knuth's multiplicative hashing). */
function momentOf(index: number): number {
  const mixed = Math.imul(seed + index + 1, 2_654_435_761) >>> 0;
  return (mixed / 2 ** 32) * max;
}
