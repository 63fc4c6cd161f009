import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SmokeResult } from '#smoke/smoke-test.ts';
import { Pebble } from '../../integration/acme/pebble.ts';
import { NameServer, tsig } from '../../real/acme/name-server.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { hostNeeds } from '../host-needs.ts';
import type { Outsider } from '../network/outsider.ts';
import { keep } from '../whole-stack/results.ts';
import { HostBundle } from './host-bundle.ts';
import { Premises } from './premises.ts';

const given = hostNeeds('debian13', 'serverBundle', 'pebble', 'lego', 'knotd', 'unbound');
const zone = 'example.org';
const chat = `chat.${zone}`;
const url = `https://${chat}:8443/`;

/** Forwards one port of the router to the server, as at home. Many routers do not lead back in from inside. */
const forwarder = `
import asyncio, sys
async def pump(reader, writer):
  try:
    while data := await reader.read(65536):
      writer.write(data)
      await writer.drain()
  finally:
    writer.close()
async def serve(reader, writer):
  there = await asyncio.open_connection(sys.argv[1], 8443)
  await asyncio.gather(pump(reader, there[1]), pump(there[0], writer), return_exceptions=True)
async def main():
  await (await asyncio.start_server(serve, '0.0.0.0', 8443)).serve_forever()
asyncio.run(main())
`;

given.describe('a server behind NAT, of which only port 8443 is reachable', () => {
  let premises: Premises;
  let pebble: Pebble;
  let names: NameServer;
  let router: Outsider;

  beforeAll(async () => {
    const { dependencies, serverBundle, pebble: packages, knotd, unbound } = given;
    premises = await Premises.open({
      ...{ dependencies, distribution: 'debian13' },
      bundle: await HostBundle.copy(serverBundle, await workFolder()),
      site: async (cloud) => {
        const { network } = cloud;
        router = await cloud.outsider();
        const addresses = [network.take().v4, network.take().v4] as const;
        for (const address of addresses) {
          await execa('ip', ['address', 'add', `${address}/32`, 'dev', network.bridge]);
        }
        const gateway = network.gateway.v4;
        const known = { 'deb.debian.org': gateway, 'security.debian.org': gateway };
        names = await NameServer.start({
          ...{ knotd, unbound, zones: [zone], addresses },
          ...{ names: known, clients: '10.0.0.0/8' },
        });
        await names.set(zone, 'chat', 'A', [router.addresses.v4]);
        pebble = await Pebble.start(packages, gateway, { dnsServer: names.resolver });
        return {
          admin: { email: 'ops@example.org' },
          dns: { nameserver: [addresses[1]] },
          hosts: { ui: chat, port: 8443, http: false },
          tls: {
            ...{ mode: 'acme', accept_terms: true, challenge: 'dns', dns: { provider: 'rfc2136' } },
            server: { url: pebble.directory, ca: pebble.ca },
          },
        };
      },
    });
    await premises.comeUp();
    const forward = ['sh', '-c', 'setsid python3 -c "$0" "$1" >/dev/null 2>&1 &', forwarder];
    await router.run([...forward, premises.host.addresses.v4]);
  });
  afterAll(async () => {
    await premises?.close();
    await pebble?.stop();
    await names?.stop();
  });

  it('names the credentials that its certificate needs', async () => {
    const status = await premises.host.output('landfall tls status');
    expect(status).toContain('sudo landfall secret set DNSUPDATE_NAMESERVER');
  });

  it('gets its certificate by DNS', async () => {
    const { host } = premises;
    const credentials = {
      DNSUPDATE_NAMESERVER: names.address,
      DNSUPDATE_TSIG_KEY: tsig.name,
      DNSUPDATE_TSIG_ALGORITHM: 'hmac-sha256.',
      DNSUPDATE_TSIG_SECRET: tsig.secret,
    };
    for (const [name, value] of Object.entries(credentials)) {
      await host.output(['landfall', 'secret', 'set', name], { input: value });
    }
    const ran = await host.run('landfall tls renew 2>&1', { limit: 300 });
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(await host.output('landfall tls status')).toMatch(/Pebble/);
  });

  it('opens no other port, and passes its smoke tests on the server', async () => {
    const { cloud, host } = premises;
    const stranger = await cloud.outsider();
    const seen = await stranger.ports(host.addresses.v4, [22, 80, 443, 8443]);
    expect(seen).toMatchObject({ 22: 'open', 8443: 'open' });
    expect([seen[80], seen[443]]).not.toContain('open');
    expect(await host.run('landfall smoke 2>&1')).toMatchObject({ exitCode: 0 });
  });

  it('passes its smoke tests from outside, through the router', async () => {
    const root = await keep('one-port-root.pem', await pebble.root());
    const args = ['smoke', '--json', '--address', router.addresses.v4];
    const text = await premises.bundle.landfall(args, { NODE_EXTRA_CA_CERTS: root });
    const results: SmokeResult[] = JSON.parse(text);
    expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(3);
    await premises.administrator.run(['sh', '-c', 'cat >/root/root.pem'], {
      input: await pebble.root(),
    });
    const options = [
      '--cacert',
      '/root/root.pem',
      '--resolve',
      `${chat}:8443:${router.addresses.v4}`,
    ];
    expect(await premises.administrator.fetch(url, options)).toMatchObject({ status: 200 });
  });
});
