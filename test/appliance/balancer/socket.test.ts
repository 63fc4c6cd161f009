import { describe, expect, it } from 'vitest';
import { balancerState, drain, resume } from '../../../appliance/balancer/socket.ts';
import { rejectionOf } from '../../setup/landfall-error.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

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

  it.each([1, 'Permission denied'])('reports a HAProxy that answers %j', async (answer) => {
    const error = await rejectionOf(balancerState(hostWith(answer)));
    expect(error.code).toBe('STACK_UNHEALTHY');
    expect(error.hint).toContain('landfall-balancer');
  });
});
