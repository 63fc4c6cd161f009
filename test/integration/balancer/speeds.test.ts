import { afterEach, beforeEach, expect, it } from 'vitest';
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

  it('count the answers of the last minute, and their time without the queue', async () => {
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
    expect(slow).toBeGreaterThan(fast);
    expect(slow).toBeGreaterThanOrEqual(300);
    // On a busy machine, each answer takes longer than its pace.
    expect(slow).toBeLessThan(1500);
  });
});
