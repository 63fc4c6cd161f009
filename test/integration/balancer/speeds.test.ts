import { afterEach, beforeEach, expect, it } from 'vitest';
import { engines } from '#contract/site/engines/engines.ts';
import { slowServers } from '../../../appliance/balancer/slow-servers.ts';
import { needs } from '../needs.ts';
import { BalancerRig } from './balancer-rig.ts';
import { EngineNode } from './engine-node.ts';

const { describe, haproxy } = needs('haproxy');

describe("HAProxy's measurements", () => {
  let rig: BalancerRig;
  beforeEach(() => {
    rig = new BalancerRig(haproxy);
  });
  afterEach(() => rig.remove());

  it('count the answers of the last minute, and find the slow server', async () => {
    const paces = { a: 5, b: 5, slow: 300 };
    for (const [name, pace] of Object.entries(paces)) await rig.add(name, new EngineNode({ pace }));
    await rig.start();
    const chat = (name: string) => ({ 'x-openwebui-chat-id': name });
    // Each chat stays on its server, which has at least 20 answers then.
    const owners = await Promise.all(
      ['one', 'two', 'three'].map((name) => rig.generate({}, chat(name))),
    );
    expect(owners.map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all(
      ['one', 'two', 'three'].flatMap((name) =>
        Array.from({ length: 20 }, () => rig.generate({}, chat(name))),
      ),
    );
    await rig.generate({}, {}, '/api/embed');
    const states = await rig.states();
    expect(states.map(({ chats }) => chats)).toEqual([21, 21, 21]);
    expect(states.reduce((sum, { perMinute }) => sum + perMinute, 0)).toBe(64);
    // Without the time in the queue, which is 20 answers long.
    const [fast = 0, , slow = 0] = states.map(({ answerTime = 0 }) => answerTime);
    expect(fast).toBeGreaterThanOrEqual(5);
    expect(fast).toBeLessThan(100);
    expect(slow).toBeGreaterThanOrEqual(300);
    expect(slow).toBeLessThan(600);
    const parsed = engines.parse({
      nodes: states.map(({ name }) => ({ name, url: `https://${name}.example.com` })),
    });
    expect(slowServers(states, parsed ?? { nodes: [] }).map(({ name }) => name)).toEqual(['slow']);
  });
});
