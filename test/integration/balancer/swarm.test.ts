import { afterEach, beforeEach, expect, it } from 'vitest';
import { type NameServer, startNameServer } from '../../stand-ins/dns/name-server.ts';
import { needs } from '../needs.ts';
import { BalancerRig } from './balancer-rig.ts';
import { digestOf, EngineNode } from './engine-node.ts';

const { describe, haproxy } = needs('haproxy');
const name = 'tasks.landfall_engine';
const [first, second] = ['127.0.0.2', '127.0.0.3'];

describe('the nodes of a Swarm', () => {
  const zone: Record<string, string[]> = {};
  let rig: BalancerRig;
  let names: NameServer;
  beforeEach(async () => {
    rig = new BalancerRig(haproxy);
    names = await startNameServer(zone);
  });
  afterEach(async () => {
    await rig.remove();
    names.close();
  });

  /** Starts HAProxy with a node of the site, and two of a Swarm, of which the first is in DNS. */
  async function startSwarm(models: readonly string[] = ['qwen3:8b']) {
    zone[name] = [first];
    await rig.add('listed', new EngineNode({ models, pace: 200 }));
    const one = await new EngineNode({ address: first, pace: 200 }).start();
    const two = new EngineNode({ address: second, models, pace: 200 });
    two.port = one.port;
    rig.nodes.set('one', one).set('two', await two.start());
    const nameserver = `nameserver test ${names.address}\n  hold valid 100ms`;
    await rig.start({
      replace: { 'parse-resolv-conf\n  hold valid 10s': nameserver },
      swarm: { slots: 2, port: one.port },
      digests: { 'qwen3:8b': `sha256:${digestOf('qwen3:8b')}` },
    });
    await rig.reach('swarm1', 'up');
    return { one, two };
  }

  const namesOf = async () => (await rig.states()).map((state) => state.name).sort();

  it('appear when DNS has them, and get requests from the queue of all servers', async () => {
    const { one, two } = await startSwarm();
    expect(await namesOf()).toEqual(['listed', 'swarm1']);
    const { others = [] } = await rig.reach('swarm1', 'up');
    expect([...others].sort()).toEqual(['embed-1/swarm1', 'info-1/swarm1']);
    for (const each of others) {
      expect((await rig.ask(`set server ${each} state drain`)).trim()).toBe('');
      expect((await rig.ask(`set server ${each} state ready`)).trim()).toBe('');
    }
    zone[name] = [first, second];
    await rig.reach('swarm2', 'up');
    const answers = await Promise.all(Array.from({ length: 10 }, () => rig.generate()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(Math.max(one.peak, two.peak)).toBe(2);
    expect(Math.min(one.count, two.count)).toBeGreaterThanOrEqual(2);
    zone[name] = [second];
    await expect.poll(namesOf, { timeout: 20_000 }).toEqual(['listed', 'swarm2']);
    expect((await rig.generate()).status).toBe(200);
  });

  it('count as down without a model of the first server, which may lack it', async () => {
    const { two } = await startSwarm(['other:1b']);
    zone[name] = [first, second];
    expect((await rig.reach('swarm2', 'down')).reason).toContain('qwen3:8b is missing');
    expect((await rig.reach('listed', 'up')).state).toBe('up');
    expect(two.count).toBe(0);
  });

  it('count as down when they vanish, within five seconds', async () => {
    const { one } = await startSwarm();
    const began = performance.now();
    await one.kill();
    await rig.reach('swarm1', 'down');
    expect(performance.now() - began).toBeLessThan(5000);
    expect((await rig.generate()).status).toBe(200);
  });
});
