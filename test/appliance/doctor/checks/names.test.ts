import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namesCheckWith } from '../../../../appliance/doctor/checks/names.ts';
import { status } from '../../../faulty-server/faults.ts';
import { encryptedResolver } from '../../../stand-ins/dns/encrypted.ts';
import { ProbeRig, host as provider } from '../../shared/probe/rig.ts';
import { TemporaryHost } from '../../temporary-host.ts';
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
