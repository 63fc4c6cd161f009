import { describe, expect, it } from 'vitest';
import { namesCheck } from '../../../../appliance/doctor/checks/names.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

const site = {
  release: ['https://dl.example.com/r/'],
  providers: { openai: { base_url: 'https://api.openai.com/v1' } },
};
const address = (ip: string) => `${ip} STREAM x\n${ip} DGRAM\n`;
const good = {
  'getent ahosts dl.example.com': address('93.184.215.14'),
  'getent ahosts api.openai.com': address('172.66.0.243'),
};

describe('the check of names', () => {
  it('accepts public and private addresses', async () => {
    const answers = { ...good, 'getent ahosts dl.example.com': address('10.1.2.3') };
    expect(await look(namesCheck, TemporaryHost.with({}, answers), { site })).toEqual([]);
  });

  it('finds a name that does not resolve', async () => {
    const host = TemporaryHost.with({}, { ...good, 'getent ahosts dl.example.com': 2 });
    expect(await look(namesCheck, host, { site })).toEqual([
      ['NAME_UNRESOLVED', 'dl.example.com', 'the name dl.example.com does not resolve'],
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
