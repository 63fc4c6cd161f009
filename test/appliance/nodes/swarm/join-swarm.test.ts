import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { readAtMost } from '#contract/text/bytes.ts';
import { joinSwarm } from '../../../../appliance/nodes/swarm/docker-swarm.ts';
import { afterThisTest } from '../../../setup/cleanup.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const token = 'SWMTKN-1-secret';

/** A server whose Docker answers a request to join. Returns the host, and what Docker got. */
function nodeWith(status: number, message: string) {
  const host = TemporaryHost.with({}, { 'docker network inspect docker_gwbridge': '[]' });
  const got: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = await readAtMost(request, 4096);
    got.push(`${request.method} ${request.url}`, JSON.parse(Buffer.from(body).toString()));
    response.writeHead(status).end(status === 200 ? '' : JSON.stringify({ message }));
  });
  mkdirSync(host.path('run'), { recursive: true });
  server.listen(host.path('run/docker.sock'));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host, got };
}

it('gives Docker the token of a Swarm without an argument of a program', async () => {
  const { host, got } = nodeWith(200, '');
  await joinSwarm(host, '198.19.253.2', token);
  expect(got).toEqual([
    'POST /swarm/join',
    {
      ListenAddr: '198.19.253.2:2377',
      AdvertiseAddr: '198.19.253.2',
      DataPathAddr: '198.19.253.2',
      RemoteAddrs: ['198.19.253.1:2377'],
      JoinToken: token,
    },
  ]);
  expect(host.ran.join('\n')).not.toMatch(/SWMTKN|swarm join/);
});

it("keeps Docker's reason if it does not join", async () => {
  const { host } = nodeWith(400, 'invalid join token');
  await expect(joinSwarm(host, '198.19.253.2', token)).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    problems: [{ message: 'invalid join token' }],
  });
});
