import { afterEach, beforeEach, expect, it } from 'vitest';
import { type NameServer, startNameServer } from '../../stand-ins/dns/name-server.ts';
import { needs } from '../needs.ts';
import { BalancerRig } from './balancer-rig.ts';
import { EngineNode } from './engine-node.ts';

const { describe, haproxy } = needs('haproxy');
const name = 'gpu1.example.com';

describe('a node with a name', () => {
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

  /** Starts HAProxy with a node that listens on 127.0.0.1 only. */
  async function startNode(addresses: string[]): Promise<EngineNode> {
    zone[name] = addresses;
    const node = await new EngineNode().start();
    rig.nodes.set('named', node);
    await rig.add('a', new EngineNode(), { url: `http://${name}:${node.port}` });
    const nameserver = `nameserver test ${names.address}\n  hold valid 100ms`;
    await rig.start({ replace: { 'parse-resolv-conf\n  hold valid 10s': nameserver } });
    return node;
  }

  it('answers by IPv4 if its name has addresses of both families', async () => {
    const node = await startNode(['::1', '127.0.0.1']);
    expect((await rig.reach('a', 'up')).state).toBe('up');
    expect((await rig.generate()).status).toBe(200);
    expect(node.count).toBe(1);
  });

  it('follows a change of its address', async () => {
    const node = await startNode(['127.0.0.2']);
    expect((await rig.reach('a', 'down')).state).toBe('down');
    zone[name] = ['127.0.0.1'];
    expect((await rig.reach('a', 'up')).state).toBe('up');
    expect([(await rig.generate()).status, node.count]).toEqual([200, 1]);
  });
});
