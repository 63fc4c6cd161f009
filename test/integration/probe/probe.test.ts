import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { landfall } from '../../pty/terminal.ts';
import { Namespace } from '../firewall/namespaces.ts';

const program = fileURLToPath(new URL('world-program.ts', import.meta.url));
const addresses = {
  client: '10.9.0.2',
  proxyInside: '10.9.0.1',
  proxyOutside: '203.0.113.1',
  overseas: '203.0.113.7',
};
const names = ['api.provider.test', 'echo.test'];

/** The zone of a correct resolver, and of one that returns a wrong address for the provider. */
const right = Object.fromEntries(names.map((name) => [name, [addresses.overseas]]));
const lying = { ...right, 'api.provider.test': [addresses.proxyInside] };

/** The client reaches the overseas server only through the proxy, unless the proxy forwards packets. */
describe('landfall probe in a network with an overseas provider', () => {
  let folder: string;
  let client: Namespace;
  let middle: Namespace;
  let far: Namespace;
  let proxy: string;
  const clients: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-probe-'));
    const authority = new CertificateAuthority();
    const tls = authority.issue({ names, addresses: [addresses.overseas] });
    const file = (name: string) => join(folder, name);
    await writeFile(file('ca.pem'), authority.cert);
    await writeFile(file('key.pem'), tls.key);
    await writeFile(file('cert.pem'), tls.cert);
    await writeFile(file('resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
    [client, middle, far] = await Promise.all([
      Namespace.open(),
      Namespace.open(),
      Namespace.open(),
    ]);
    await client.connect('eth0', middle, 'eth0');
    await middle.connect('eth1', far, 'eth0');
    await client.run(`ip address add ${addresses.client}/24 dev eth0`);
    await middle.run(`ip address add ${addresses.proxyInside}/24 dev eth0`);
    await middle.run(`ip address add ${addresses.proxyOutside}/24 dev eth1`);
    await far.run(`ip address add ${addresses.overseas}/24 dev eth0`);
    await far.run(`ip route add default via ${addresses.proxyOutside}`);
    await client.run('ip route add unreachable 203.0.113.0/24');
    const node = [process.execPath, program];
    const overseas = [...node, 'overseas', addresses.overseas, file('key.pem'), file('cert.pem')];
    const [server] = await far.start(overseas);
    server.stdout?.on('data', (text) => clients.push(...String(text).trim().split('\n')));
    const [, host] = await middle.start([
      ...node,
      ...['proxy', addresses.proxyInside, JSON.stringify(right)],
    ]);
    proxy = `socks5h://${host}`;
  });
  afterAll(async () => {
    for (const namespace of [client, middle, far]) namespace?.close();
    await rm(folder, { recursive: true });
  });

  /** Probes with a resolver that answers from a zone. Returns the exit code and the report. */
  async function probe(zone: object, ...options: readonly string[]) {
    clients.length = 0;
    const [dns] = await client.start([process.execPath, program, 'dns', JSON.stringify(zone)]);
    const script = 'mount --bind "$0/resolv.conf" /etc/resolv.conf && exec "$@"';
    const urls = [
      '--echo',
      'https://echo.test/ip',
      '--resolver',
      `https://${addresses.overseas}/dns-query`,
    ];
    const command = [...landfall, 'probe', 'https://api.provider.test', '--ca', 'ca.pem', '--json'];
    const inside = [
      'unshare',
      '--mount',
      'sh',
      '-c',
      script,
      folder,
      ...command,
      ...urls,
      ...options,
    ];
    try {
      const { exitCode, stdout } = await execa(
        'nsenter',
        [`--net=/proc/${client.pid}/ns/net`, '--', ...inside],
        {
          cwd: folder,
          reject: false,
          env: { PATH: process.env.PATH, HOME: folder },
          extendEnv: false,
        },
      );
      return { exitCode, report: JSON.parse(stdout) };
    } finally {
      const ended = once(dns, 'exit');
      dns.kill('SIGKILL');
      await ended;
    }
  }

  it('recommends a proxy or a relay without one, and nothing arrives overseas', async () => {
    const { exitCode, report } = await probe(right);
    expect(report.verdict).toMatchObject({ kind: 'relay', triedProxy: false });
    expect(report.providers[0].direct.failure).toMatchObject({ step: 'tcp' });
    expect(exitCode).toBe(5);
    expect(clients).toEqual([]);
  });

  it('recommends the proxy, through which alone packets arrive overseas', async () => {
    const { exitCode, report } = await probe(right, '--proxy', proxy);
    expect(report.verdict).toMatchObject({ kind: 'proxy', polluted: [] });
    expect(report.egress).toMatchObject({
      direct: { failure: { step: 'tcp' } },
      proxy: { address: addresses.proxyOutside },
    });
    expect(exitCode).toBe(0);
    expect(new Set(clients)).toEqual(new Set([addresses.proxyOutside]));
  });

  it('recognizes a lying resolver with an answer through the proxy', async () => {
    const { exitCode, report } = await probe(lying, '--proxy', proxy);
    expect(report.providers[0].dns).toEqual({
      state: 'polluted',
      system: [addresses.proxyInside],
      trusted: [addresses.overseas],
    });
    expect(report.verdict).toMatchObject({ kind: 'proxy', polluted: ['api.provider.test'] });
    expect(exitCode).toBe(0);
    expect(new Set(clients)).toEqual(new Set([addresses.proxyOutside]));
  });

  describe('with a direct connection', () => {
    beforeAll(async () => {
      await middle.run('sysctl -q -w net.ipv4.ip_forward=1');
      await client.run('ip route del unreachable 203.0.113.0/24');
      await client.run(`ip route add 203.0.113.0/24 via ${addresses.proxyInside}`);
    });

    it('recommends direct access', async () => {
      const { exitCode, report } = await probe(right);
      expect(report.verdict.kind).toBe('direct');
      expect(report.egress.direct).toEqual({ address: addresses.client });
      expect(exitCode).toBe(0);
    });

    it('recommends other DNS if the resolver lies', async () => {
      const { exitCode, report } = await probe(lying);
      expect(report.verdict).toMatchObject({ kind: 'dns', polluted: ['api.provider.test'] });
      expect(report.providers[0].corrected).toMatchObject({ status: 401 });
      expect(exitCode).toBe(5);
    });
  });
});
