import { describe, expect, it } from 'vitest';
import { checkNames, namesToResolve } from '../../../../appliance/stages/preflight/names.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const sources = {
  release: ['https://downloads.example.com/landfall/', 'http://192.0.2.1/landfall/'],
  mirrors: { apt: 'http://mirror.example.net/debian', files: 'https://files.example.org/' },
};

describe('the host names that a server has to resolve', () => {
  const names = (site: object) =>
    namesToResolve(contextFor(TemporaryHost.with({}), { site: { ...sources, ...site } }).site);

  it('resolves the mirrors on a direct route, without the release, which is here', () => {
    expect(names({})).toEqual(['mirror.example.net', 'files.example.org']);
  });

  it('resolves only the proxy, which resolves the other names', () => {
    const route = { mode: 'http-proxy', url: 'http://proxy.example.org:7890' };
    expect(names({ route })).toEqual(['proxy.example.org']);
    expect(names({ route: { ...route, url: 'http://10.0.0.2:7890' } })).toEqual([]);
  });

  it('include those that the site exempts from the proxy', () => {
    const route = { mode: 'http-proxy', url: 'http://10.0.0.2:7890', no_proxy: ['example.net'] };
    expect(names({ route })).toEqual(['mirror.example.net']);
  });
});

describe('a server with working DNS', () => {
  it('reports no problems for a server with working DNS', async () => {
    expect(await judge({})).toEqual({ problems: [], warned: [] });
  });

  it('gets a warning about a single unresolved name', async () => {
    expect(await judge({ 'getent ahosts mirror.example.net': 2 })).toEqual({
      problems: [],
      warned: ['DNS resolution failed: mirror.example.net'],
    });
  });
});

describe('a server without working DNS', () => {
  it('reports its name servers', async () => {
    const { problems } = await judge({ getent: 2 });
    expect(problems).toEqual([
      {
        message: 'DNS resolution failed: mirror.example.net, files.example.org',
        hint: expect.stringContaining('(192.0.2.53)'),
      },
    ]);
  });
});

async function judge(answers: Record<string, number>) {
  const host = TemporaryHost.with(
    { 'etc/resolv.conf': 'nameserver 192.0.2.53\n' },
    { getent: 0, ...answers },
  );
  const context = contextFor(host, { site: sources });
  return { problems: await checkNames(context), warned: context.warned };
}
