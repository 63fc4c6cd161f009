import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { makeToken } from '../../../../appliance/commands/node/token.ts';
import { readMembers } from '../../../../appliance/nodes/swarm/members.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const site = siteSchema.parse({
  release: ['https://example.com/r/'],
  admin: { ssh_keys: ['ssh-ed25519 AAAA'] },
  engines: { swarm: { slots: 1, address: '203.0.113.7' } },
});
const swarm = {
  ...{ LocalNodeState: 'active', NodeID: 'x', NodeAddr: '198.19.253.1' },
  ...{ ControlAvailable: true, Error: '', RemoteManagers: [] },
};
const printed: Readonly<Record<string, string>> = {
  'docker info': JSON.stringify(swarm),
  'docker version': '28.0.0',
  'docker swarm': 'SWMTKN-1-a-b',
};

/** A first server of a Swarm, whose programs take a moment. */
function firstServer(): Host {
  const { root } = TemporaryHost.with({});
  mkdirSync(`${root}/run/landfall`, { recursive: true });
  return new Host(root, async (file, [first = '']) => {
    await setTimeout(1);
    return { code: 0, stdout: printed[`${file} ${first}`] ?? '', stderr: '' };
  });
}

it('gives two nodes their own addresses if their tokens are made at once', async () => {
  const silent = [vi.spyOn(console, 'log'), vi.spyOn(process.stderr, 'write')] as const;
  silent[0].mockReturnValue();
  silent[1].mockReturnValue(true);
  afterThisTest(() => {
    for (const spy of silent) spy.mockRestore();
  });
  const host = firstServer();
  const context = contextFor(host, { site });
  await Promise.all(['gpu1', 'gpu2'].map((name) => makeToken(context, name, { yes: true })));
  const members = await readMembers(host);
  expect(members.map(({ name }) => name).sort()).toEqual(['gpu1', 'gpu2']);
  expect(new Set(members.map(({ address }) => address)).size).toBe(2);
});
