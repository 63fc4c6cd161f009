import { describe, expect, it } from 'vitest';
import { balancerState, drain, resume } from '../../../../appliance/nodes/balancer/socket.ts';
import { writeMembers } from '../../../../appliance/nodes/swarm/members.ts';
import { makeKey, publicKeyOf } from '../../../../appliance/server/host/wireguard/key.ts';
import { rejectionOf } from '../../../setup/landfall-error.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const look = 'show stat;show table answers\n';
const command =
  'docker exec --interactive landfall-balancer socat -t 10 - UNIX-CONNECT:/tmp/haproxy.sock';

/** Returns HAProxy's table with a server that works on some requests. */
function tableWith(inFlight: number): string {
  const columns = '# pxname,svname,qcur,scur,econ,eresp,status,sid,slim,hrsp_2xx,hrsp_5xx,';
  return [columns, `generate-2,gpu1,0,${inFlight},0,0,UP,3,2,7,0,`, ''].join('\n');
}

function hostWith(answer: Answers[string]): TemporaryHost {
  return TemporaryHost.with({}, { [command]: answer });
}

describe('the commands for HAProxy', () => {
  it('drain a server and move its chats, at once and when it is idle', async () => {
    const host = hostWith(tableWith(0));
    const counts: number[] = [];
    await drain(host, 'gpu1', (count) => counts.push(count));
    expect(host.inputs).toEqual([
      look,
      'set server generate-2/gpu1 state drain\n',
      'clear table generate-2 data.server_id eq 3\n',
      look,
      'clear table generate-2 data.server_id eq 3\n',
    ]);
    expect(counts).toEqual([]);
  });

  it('waits until a drained server has finished its requests', async () => {
    const left = [2, 1, 0];
    const host = hostWith(() => {
      const isDraining = host.inputs.some((input) => input.includes('drain'));
      const isTable = host.inputs.at(-1) === look;
      return tableWith((isDraining && isTable ? left.shift() : left[0]) ?? 0);
    });
    const counts: number[] = [];
    await drain(host, 'gpu1', (count) => counts.push(count));
    expect(counts).toEqual([2, 1]);
  });

  it('give a server requests again, also those that wait', async () => {
    const host = hostWith(tableWith(0));
    await resume(host, 'gpu1');
    expect(host.inputs).toEqual([
      look,
      'set server generate-2/gpu1 state ready\n',
      'set maxconn server generate-2/gpu1 2\n',
      'set maxconn server embed-2/gpu1 2\n',
    ]);
  });

  it('rejects an unknown name with the known ones, and sends it nowhere', async () => {
    const host = hostWith(tableWith(0));
    const error = await rejectionOf(resume(host, 'gpu1 state maint'));
    expect([error.code, error.hint]).toEqual(['USAGE', 'Use one of: gpu1.']);
    expect(host.inputs).toEqual([look]);
  });

  // Regression: `landfall engines resume` said that a drained node of a Swarm gets requests again.
  it('refuses to drain and resume a node of a Swarm that runs no Ollama', async () => {
    const host = TemporaryHost.with(
      {},
      {
        [command]: tableWith(0),
        'docker node ls': 'a\n',
        'docker node inspect a': JSON.stringify([
          {
            ...{ ID: 'a', Spec: { Role: 'worker', Availability: 'drain' } },
            Description: { Hostname: 'vm', Engine: { EngineVersion: '26.1.5' } },
            Status: { State: 'ready', Addr: '198.19.253.2' },
          },
        ]),
        'docker service ps': '',
      },
    );
    const publicKey = publicKeyOf(makeKey());
    const expires = '2026-11-29T12:00:00.000Z';
    await writeMembers(host, [{ name: 'attic', address: '198.19.253.2', publicKey, expires }]);
    for (const change of [() => drain(host, 'attic', () => {}), () => resume(host, 'attic')]) {
      const error = await rejectionOf(change());
      expect([error.code, error.message]).toEqual(['USAGE', expect.stringContaining('drained')]);
    }
    expect(host.inputs.join('')).not.toContain('set server');
  });

  it.each([1, 'Permission denied'])('reports a HAProxy that answers %j', async (answer) => {
    const error = await rejectionOf(balancerState(hostWith(answer)));
    expect(error.code).toBe('STACK_UNHEALTHY');
    expect(error.hint).toContain('landfall-balancer');
  });
});
