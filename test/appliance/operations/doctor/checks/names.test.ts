import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isUnusable,
  namesCheckWith,
  networkCheck,
} from '../../../../../appliance/operations/doctor/checks/names.ts';
import { status } from '../../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../../faulty-server/faulty-server.ts';
import { encryptedResolver } from '../../../../stand-ins/dns/encrypted.ts';
import { ProbeRig, host as provider } from '../../../shared/probe/rig.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

const site = {
  release: ['https://dl.example.com/r/'],
  // Without TLS, no request confirms the address.
  providers: { openai: { base_url: 'http://api.openai.com/v1' } },
};
const address = (ip: string) => `${ip} STREAM x\n${ip} DGRAM\n`;
const good = {
  'getent ahosts dl.example.com': address('93.184.215.14'),
  'getent ahosts api.openai.com': address('172.66.0.243'),
};

let rig: ProbeRig;
beforeEach(() => {
  rig = new ProbeRig();
});
afterEach(() => rig.close());

const unused = () => {
  throw new Error('no request is expected');
};
const namesCheck = namesCheckWith({
  resolver: new URL('http://127.0.0.1:9/'),
  systemNetwork: unused,
});

describe('the check of names', () => {
  it('accepts public and private addresses', async () => {
    const answers = { ...good, 'getent ahosts dl.example.com': address('10.1.2.3') };
    expect(await look(namesCheck, TemporaryHost.with({}, answers), { site })).toEqual([]);
  });

  it('finds a name that does not resolve', async () => {
    const host = TemporaryHost.with({}, { ...good, 'getent ahosts api.openai.com': 2 });
    expect(await look(namesCheck, host, { site })).toEqual([
      ['NAME_UNRESOLVED', 'api.openai.com', 'the name api.openai.com does not resolve'],
    ]);
  });

  it.each(['127.0.0.1', '0.0.0.0', '255.255.255.255', '::1'])(
    'finds a provider that a filter resolves to %s',
    async (wrong) => {
      const host = TemporaryHost.with(
        {},
        { ...good, 'getent ahosts api.openai.com': address(wrong) },
      );
      const text = `the name api.openai.com resolves to ${wrong}, which is no host of the internet`;
      expect(await look(namesCheck, host, { site })).toEqual([
        ['NAME_POLLUTED', 'api.openai.com', text],
      ]);
    },
  );

  it('names /etc/hosts as the source', async () => {
    const host = TemporaryHost.with(
      { 'etc/hosts': '127.0.0.1 localhost\n127.0.0.1 api.openai.com # blocked\n' },
      { ...good, 'getent ahosts api.openai.com': address('127.0.0.1') },
    );
    const [[, , text] = []] = await look(namesCheck, host, { site });
    expect(text).toContain('resolves to 127.0.0.1, as /etc/hosts says');
  });

  it('leaves providers to the proxy, which resolves them', async () => {
    const route = { mode: 'http-proxy', url: 'http://192.0.2.9:3128' };
    const host = TemporaryHost.with({});
    expect(await look(namesCheck, host, { site: { ...site, route } })).toEqual([]);
  });
});

describe('the check of the name of a provider with TLS', () => {
  it('accepts an address that the certificate confirms, without a query to a resolver', async () => {
    const server = await rig.secure(status(401));
    const { findings, queries } = await checked(server.url('/').port, '127.0.0.1');
    expect({ findings, queries }).toEqual({ findings: [], queries: 0 });
  });

  it('finds the address of another host, which encrypted DNS contradicts', async () => {
    const server = await rig.secure(status(401));
    const { port } = server.url('/');
    await rig.impostor(Number(port));
    const { findings } = await checked(port, '127.0.0.2');
    const text = `the name ${provider} resolves to 127.0.0.2, but to 127.0.0.1 with encrypted DNS`;
    expect(findings).toEqual([['NAME_POLLUTED', provider, text]]);
  });

  it('finds loopback if no resolver can be asked', async () => {
    const { findings } = await checked('9', '127.0.0.2', new URL('http://127.0.0.1:9/'));
    const text = `the name ${provider} resolves to 127.0.0.2, which is no host of the internet`;
    expect(findings).toEqual([['NAME_POLLUTED', provider, text]]);
  });

  /** Runs the check with an answer of the system; the encrypted answer is 127.0.0.1. */
  async function checked(port: string, answer: string, resolver?: URL) {
    const encrypted = await rig.secure(encryptedResolver({ [provider]: ['127.0.0.1'] }));
    const network = await rig.network({});
    const check = namesCheckWith({
      resolver: resolver ?? encrypted.url('/dns-query'),
      systemNetwork: () => network,
    });
    const base_url = `https://${provider}:${port}/v1`;
    const answers = { ...good, [`getent ahosts ${provider}`]: address(answer) };
    const host = TemporaryHost.with({}, answers);
    const findings = await look(check, host, {
      site: { ...site, providers: { mine: { base_url } } },
    });
    return { findings, queries: encrypted.seen().length };
  }
});

describe('an address that no other server has', () => {
  it.each([
    '0.0.0.0',
    '127.0.0.1',
    '169.254.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
  ])('recognises an address that no other server has: %s', (address) =>
    expect(isUnusable(address)).toBe(true),
  );

  it.each(['1.1.1.1', '10.0.0.1', '192.168.1.1', '223.5.5.5', '2001:db8::1', 'fd00::1', '', 'x'])(
    'accepts an address that another server can have: %j',
    (address) => expect(isUnusable(address)).toBe(false),
  );
});

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
