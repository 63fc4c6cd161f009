import { expect, it } from 'vitest';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import { openPorts } from '../host/whole-stack/port-sweep.ts';
import { nodeNames, type ThreeServers } from './three-servers.ts';

/** HAProxy's certificate with its key, which the first server's root can read. */
const own = '/var/lib/landfall/stack/balancer/client.pem';
const foreign = '/root/foreign.pem';
const makeForeign = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 \
-subj '/CN=landfall balancer' -keyout ${foreign} -out /root/foreign.crt 2>/dev/null && cat /root/foreign.crt >>${foreign}`;

/** Tests what is open on the servers, and for which client. */
export function itAcceptsOnlyTheFirstServer(servers: () => ThreeServers): void {
  it('shows 22, 80 and 443 on the first server, and 22 only on the nodes', async () => {
    const { first } = servers();
    const hosts = [first, ...nodeNames.map((name) => servers().node(name))].map(({ host }) => host);
    const seen = hosts.map(async ({ addresses }) => {
      // Probes of SSH count as attempts, so each probe uses a new client.
      const stranger = await first.cloud.outsider();
      return [await openPorts(stranger, addresses.v4), await openPorts(stranger, addresses.v6)];
    });
    const ssh = [[22], [22]];
    const web = [22, 80, 443];
    expect(await Promise.all(seen)).toEqual([[web, web], ssh, ssh]);
  });

  it.each(nodeNames)(`opens port ${enginePort} of %s for the first server only`, async (name) => {
    const { first } = servers();
    const { v4, v6 } = servers().node(name).host.addresses;
    const other = nodeNames.find((each) => each !== name) ?? name;
    const probe = (address: string) => `timeout 3 bash -c '</dev/tcp/${address}/${enginePort}'`;
    expect(await first.host.run(probe(v4))).toMatchObject({ exitCode: 0 });
    expect((await servers().node(other).host.run(probe(v4))).exitCode).not.toBe(0);
    const stranger = await first.cloud.outsider();
    for (const address of [v4, v6]) {
      const { [enginePort]: state } = await stranger.ports(address, [enginePort]);
      expect(state).not.toBe('open');
    }
  });

  itNeedsItsCertificate(servers);
}

function itNeedsItsCertificate(servers: () => ThreeServers): void {
  /** Sends a request from the first server. Returns the status; 0 without a response. */
  const ask = async (path: string, options = '', scheme = 'https') => {
    const { v4 } = servers().node('gpu1').host.addresses;
    const url = `${scheme}://${v4}:${enginePort}${path}`;
    const { stdout } = await servers().first.host.run(
      `curl -sk -m 20 -o /dev/null -w '%{http_code}' ${options} ${url}`,
    );
    return Number(stdout);
  };

  it('answers with the certificate of the first server only', async () => {
    await servers().first.host.output(makeForeign);
    expect(await ask('/api/tags', `--cert ${own}`)).toBe(200);
    expect(await ask('/api/tags')).toBe(400);
    expect(await ask('/api/tags', `--cert ${foreign}`)).toBe(400);
    expect(await ask('/api/tags', '', 'http')).toBe(400);
  });

  it.each([
    ['POST', '/api/pull'],
    ['POST', '/api/push'],
    ['POST', '/api/create'],
    ['POST', '/api/copy'],
    ['DELETE', '/api/delete'],
    ['POST', '/api/blobs/sha256:00'],
    ['POST', '/api/tags/../pull'],
  ])('rejects %s %s, also from the first server', async (method, path) => {
    expect(await ask(path, `--cert ${own} --path-as-is -X ${method} -d '{}'`)).toBe(403);
  });
}
