import { describe, expect, it } from 'vitest';
import { parseStates } from '../../../../appliance/nodes/balancer/states.ts';
import { withSwarm } from '../../../../appliance/nodes/balancer/swarm-servers.ts';
import { type Member, writeMembers } from '../../../../appliance/nodes/swarm/members.ts';
import { makeKey, publicKeyOf } from '../../../../appliance/server/host/wireguard/key.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const member = (name: string, end: number): Member => ({
  ...{ name, address: `198.19.253.${end}` as Member['address'] },
  publicKey: publicKeyOf(makeKey()),
  expires: '2026-11-29T12:00:00.000Z',
});
const node = (id: string, address: string, state = 'ready', availability = 'active') => ({
  ...{ ID: id, Spec: { Role: 'worker', Availability: availability } },
  Description: { Hostname: 'vm', Engine: { EngineVersion: '26.1.5' } },
  Status: { State: state, Addr: address },
});
const task = (id: string, address: string) => ({
  ...{ NodeID: id, DesiredState: 'running', Status: { State: 'running' } },
  NetworksAttachments: [{ Addresses: [`${address}/24`] }],
});

const table = [
  '# pxname,svname,qcur,scur,econ,eresp,status,sid,slim,hrsp_2xx,hrsp_5xx,addr,',
  'generate-1,local,0,0,0,0,UP,1,1,0,0,172.30.1.2:11434,',
  'generate-1,swarm1,0,2,0,0,UP,2,2,7,0,198.19.252.9:11434,',
  'generate-1,swarm2,0,0,0,0,MAINT (resolution),3,2,0,0,,',
].join('\n');

describe('the servers of a Swarm behind HAProxy', () => {
  it('get the names of their nodes, and those that HAProxy does not find are down', async () => {
    const host = TemporaryHost.with(
      {},
      {
        'docker node ls': 'a\nb\nc\n',
        'docker node inspect a b c': JSON.stringify([
          node('a', '198.19.253.2'),
          node('b', '198.19.253.3', 'down'),
          node('c', '198.19.253.5', 'ready', 'drain'),
        ]),
        'docker service ps': 't\n',
        'docker inspect --type task t': JSON.stringify([task('a', '198.19.252.9')]),
      },
    );
    const members = [member('gpu1', 2), member('gpu2', 3), member('new', 4), member('attic', 5)];
    await writeMembers(host, members);
    const { servers } = await withSwarm(host, parseStates(table));
    expect(servers).toMatchObject([
      { name: 'local', server: 'local', state: 'up' },
      { name: 'gpu1', server: 'swarm1', state: 'up', inFlight: 2 },
      { name: 'gpu2', state: 'down', reason: 'Docker Swarm does not reach it' },
      { name: 'attic', state: 'draining', reason: expect.stringContaining('node resume attic') },
    ]);
  });

  it('asks Docker nothing on a server without a Swarm', async () => {
    const host = TemporaryHost.with({});
    const state = parseStates(table.split('\n').slice(0, 2).join('\n'));
    expect(await withSwarm(host, state)).toBe(state);
    expect(host.ran).toEqual([]);
  });
});
