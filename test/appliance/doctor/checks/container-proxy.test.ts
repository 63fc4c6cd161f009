import { describe, expect, it } from 'vitest';
import { containerProxyCheck } from '../../../../appliance/doctor/checks/container-proxy.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { containers, look } from '../look.ts';

describe('the check of the proxy of the inference engine', () => {
  const site = { route: { mode: 'http-proxy', url: 'http://proxy.example:3128' } };
  const engine = containers({ name: 'landfall-engine', pid: 42 });
  const server = (environ: string) => TemporaryHost.with({ 'proc/42/environ': environ }, engine);

  it('finds an engine without the proxy of the site', async () => {
    expect(await look(containerProxyCheck, server('PATH=/bin\0HOME=/\0'), { site })).toEqual([
      [
        'CONTAINER_WITHOUT_PROXY',
        'landfall-engine',
        'the container landfall-engine does not use the proxy of the site',
      ],
    ]);
  });

  it('accepts an engine with it', async () => {
    const environ = 'PATH=/bin\0HTTPS_PROXY=http://proxy.example:3128\0';
    expect(await look(containerProxyCheck, server(environ), { site })).toEqual([]);
  });

  it('returns no finding on the proxy of the inference engine on a direct route', async () => {
    expect(await look(containerProxyCheck, TemporaryHost.with({}))).toEqual([]);
  });
});
