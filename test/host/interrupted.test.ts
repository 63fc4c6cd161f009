import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stages } from '../../appliance/first-boot.ts';
import type { StageName } from '../../appliance/stage/stage.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { distributions } from './distributions.ts';
import { hostNeeds } from './host-needs.ts';
import { type End, killInStage } from './kill-in-stage.ts';
import { portraitOf } from './portrait.ts';
import { Premises } from './premises.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'registry', 'composePlugin');

/** Where in a stage to kill. This one gets into most of them; LANDFALL_TEST_SEED tries others. */
const seed = Number(process.env.LANDFALL_TEST_SEED ?? 12_342);
/** Seconds: longer than that no stage takes in our own hands, but apt and the engine may. */
const longest = 4;

given.describe(`a first boot of ${distribution} that is killed in every stage`, () => {
  let killed: Premises;
  const ends = new Map<StageName, End>();

  beforeAll(async () => {
    killed = await Premises.open({
      parts: given.parts,
      distribution,
      registry: given.registry,
      plugin: given.composePlugin,
      folder: join(await workFolder(), 'bundle'),
      site: { hosts: { ui: 'chat.example.com' }, tls: { mode: 'internal' } },
    });
    for (const [index, { name }] of stages.entries()) {
      ends.set(name, await killInStage(killed.host, name, momentOf(index)));
    }
    console.log(`LANDFALL_TEST_SEED=${seed}:`, JSON.stringify(Object.fromEntries(ends)));
    await killed.comeUp();
  });
  afterAll(() => killed?.close());

  it('was killed in most of them', () => {
    expect([...ends.values()].filter((end) => end === 'killed').length).toBeGreaterThan(4);
    expect([...ends.values()]).not.toContain('failed');
  });

  it('serves its owner', async () => {
    expect(await killed.asOwner('sudo -n true')).toMatchObject({ exitCode: 0 });
    const page = await killed.owner.fetch('https://chat.example.com/');
    expect(page).toMatchObject({ status: 200 });
  });

  it('comes to the same server in the end as one that was left alone', async () => {
    const plain = await killed.another();
    await plain.comeUp();
    expect(await portraitOf(killed.host)).toEqual(await portraitOf(plain.host));
  });
});

/** A number from 0 to `longest` that looks random (Knuth's multiplicative hashing). */
function momentOf(index: number): number {
  const mixed = Math.imul(seed + index + 1, 2_654_435_761) >>> 0;
  return (mixed / 2 ** 32) * longest;
}
