import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { networkCheck } from '../../../../appliance/doctor/checks/network.ts';
import { status } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const providers = (base_url: string) => ({ providers: { mine: { base_url } } });
const check = (site: Readonly<Record<string, unknown>>) =>
  look(networkCheck, TemporaryHost.with({}), { site });

async function serverWith(code: number): Promise<FaultyServer> {
  const server = await FaultyServer.start(status(code));
  closings.push(() => server.close());
  return server;
}

/** Starts an HTTPS server with a certificate that no authority signed, and returns its origin. */
async function selfSigned(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-doctor-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const subject = ['-subj', '/CN=x', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', ...made, ...subject, ...files], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(
    () => server.close(),
    () => rmSync(folder, { recursive: true }),
  );
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the check of the network', () => {
  it('accepts a provider that answers with any status', async () => {
    const provider = await serverWith(401);
    expect(await check(providers(provider.url('/v1').href))).toEqual([]);
  });

  it('finds a provider that cannot be reached directly', async () => {
    expect(await check(providers('http://127.0.0.1:9/v1'))).toEqual([
      ['PROVIDER_UNREACHABLE', expect.stringContaining('127.0.0.1:9'), expect.any(String)],
    ]);
  });

  it('finds a proxy that cannot be reached, and one that rejects the request', async () => {
    const proxy = await serverWith(403);
    const target = providers('https://api.example.com/v1');
    for (const url of ['http://127.0.0.1:9', proxy.url('/').origin]) {
      const route = { mode: 'http-proxy', url };
      expect(await check({ ...target, route })).toEqual([
        ['PROXY_FAILS', expect.stringContaining('api.example.com'), expect.any(String)],
      ]);
    }
  });

  it('tests the proxy with the source of the release if there is no provider', async () => {
    const route = { mode: 'http-proxy', url: 'http://127.0.0.1:9' };
    expect((await check({ route })).map(([code]) => code)).toEqual(['PROXY_FAILS']);
  });

  it('ignores an unreachable source of the release, because a server that is set up does not need it', async () => {
    const route = { mode: 'http-proxy', url: 'http://127.0.0.1:9' };
    expect(await check({ route, release: ['http://127.0.0.1:9/'] })).toEqual([]);
  });

  it('finds an authority that the server does not trust', async () => {
    const origin = await selfSigned();
    expect((await check(providers(`${origin}/v1`))).map(([code]) => code)).toEqual([
      'TLS_UNTRUSTED',
    ]);
  });
});
