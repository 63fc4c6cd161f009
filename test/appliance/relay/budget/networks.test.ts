import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Networks } from '../../../../appliance/relay/budget/networks.ts';
import { readStoredUsage } from '../../../../appliance/relay/node/usage/stored-usage.ts';
import { BudgetedRelay } from './budgeted-relay.ts';

const [yesterday, today] = ['2027-03-30', '2027-03-31'];
const hashOf = (index: number) => `${index}`.padStart(16, '0');

describe('the networks of relay keys', () => {
  it('counts each network of an account once', () => {
    const networks = new Networks();
    for (const index of [1, 2, 1]) networks.add('phone', today, hashOf(index));
    networks.add('laptop', today, hashOf(1));
    expect([networks.count('phone', today), networks.count('laptop', today)]).toEqual([2, 1]);
    expect(networks.isNew('phone', today, hashOf(2))).toBe(false);
    expect(networks.isNew('laptop', today, hashOf(2))).toBe(true);
  });

  it('forgets the other days, also one on which the clock was ahead', () => {
    const networks = new Networks();
    networks.add('phone', '2099-01-01', hashOf(1));
    networks.add('phone', yesterday, hashOf(1));
    networks.add('laptop', today, hashOf(1));
    expect(networks.count('phone', yesterday)).toBe(0);
    expect(networks.state()).toEqual({ day: today, accounts: { laptop: [hashOf(1)] } });
  });

  it('stores at most a hundred networks of an account, also after a restart', () => {
    const networks = new Networks();
    for (let index = 0; index < 150; index += 1) networks.add('phone', today, hashOf(index));
    const restarted = new Networks(networks.state());
    restarted.add('phone', today, hashOf(999));
    expect([networks.count('phone', today), restarted.count('phone', today)]).toEqual([100, 100]);
  });
});

describe('the networks of a key', () => {
  const key = { budget: { requests_per_day: 100 } };
  let relay: BudgetedRelay;

  async function start(own: object, more: object): Promise<void> {
    relay = await BudgetedRelay.start(own, more);
    onTestFinished(() => relay.close());
  }

  const from = (address: string) =>
    relay.rig.ask('/v1/models', { headers: { 'x-real-ip': address } });

  /** Returns the number of stored networks, after a restart. */
  async function networks(more: object): Promise<number> {
    await relay.restart(key, more);
    const stored = await readStoredUsage(relay.folder, process.getuid?.() ?? 0);
    if (typeof stored === 'string') throw new Error(stored);
    return stored.ledger.networks.count('me', '2027-03-31');
  }

  it('counts by the header of the gateway, also after a restart', async () => {
    const more = { gateway: '127.0.0.1' };
    await start(key, more);
    for (const address of ['203.0.113.7', '203.0.113.8', '203.0.114.7', '2001:db8::1', 'x'])
      expect((await from(address)).status).toBe(200);
    expect(await networks(more)).toBe(3);
    expect(await networks(more)).toBe(3);
    const state = await readFile(join(relay.folder, 'state.json'), 'utf8');
    expect(state).not.toMatch(/203\.0|2001/);
  });

  it('ignores the header of a client without the gateway', async () => {
    await start(key, { gateway: '192.0.2.1' });
    for (const address of ['203.0.113.7', '203.0.114.7', '203.0.115.7']) await from(address);
    expect(await networks({})).toBe(1);
  });

  it('stores no network of a key without a budget', async () => {
    await start({ models: ['tiny'] }, { gateway: '127.0.0.1' });
    await from('203.0.113.7');
    expect(await networks({})).toBe(0);
  });
});
