import { afterEach, describe, expect, it } from 'vitest';
import { type FreeNetworks, reserveNetworks } from './docker/free-networks.ts';
import { Unmet } from './unmet.ts';

/** Of this process, because other runs on this machine reserve ranges too. */
const own = `10.${process.pid & 255}.${(process.pid >> 8) & 255}`;
const candidates = [`${own}.0/25`, `${own}.128/25`];

const held: FreeNetworks[] = [];
afterEach(() => {
  for (const each of held.splice(0)) each.release();
});

async function reserved(used: readonly string[] = []): Promise<string> {
  const networks = await reserveNetworks(candidates, used);
  held.push(networks);
  return networks.range;
}

describe('the networks of the test Docker', () => {
  it('differ between two runs on a machine, and are free again when a run has ended', async () => {
    expect([await reserved(), await reserved()]).toEqual(candidates);
    await expect(reserved()).rejects.toThrow(Unmet);
    held[0]?.release();
    expect(await reserved()).toBe(candidates[0]);
  });

  it('avoid the networks of the machine', async () => {
    expect(await reserved([`${own}.1/26`])).toBe(candidates[1]);
    const networks = await reserveNetworks();
    held.push(networks);
    expect(networks.range).toMatch(/^10\.\d+\.0\.0\/16$/);
  });
});
