import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installedMark } from '#contract/server-paths.ts';
import { warnOfProviders } from '../../../../appliance/stages/route/probe-destinations.ts';
import { provePrecondition } from '../../../../appliance/stages/route/stage.ts';
import { status } from '../../../faulty-server/faults.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';
import { contextFor, imageOf } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** A registry that requires a login: status 401 counts as reachable. */
let registry: FaultyServer;
let proxy: HttpProxy;
beforeAll(async () => {
  [registry, proxy] = await Promise.all([FaultyServer.start(status(401)), HttpProxy.start()]);
});
afterAll(() => Promise.all([registry.close(), proxy.close()]));

/** A closed port. */
const nowhere = '127.0.0.1:9';

/** apt has no archives. */
const noArchives = { 'apt-get update --print-uris': '' };

function thin(registryHost: string, site = {}, files = {}) {
  const images = [imageOf('engine', 1, { reference: `${registryHost}/ollama:1` })];
  return contextFor(TemporaryHost.with(files, noArchives), {
    release: { kind: 'thin', images },
    site,
  });
}

describe('a working route', () => {
  it('detects a working route by any response', async () => {
    await provePrecondition(thin(registry.url('/').host));
    expect(registry.seen('/v2/')).toHaveLength(1);
  });

  it('detects a working route if either the mirror or the registry responds', async () => {
    const mirrors = { registries: { [registry.url('/').host]: `http://${nowhere}` } };
    const before = registry.seen('/v2/').length;
    await provePrecondition(thin(registry.url('/').host, { mirrors }));
    expect(registry.seen('/v2/')).toHaveLength(before + 1);
  });
});

describe('a route that does not work', () => {
  it('stops the first boot with a list of options, if it is direct', async () => {
    await expect(provePrecondition(thin(nowhere))).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      message: 'required hosts cannot be reached directly',
      hint: expect.stringMatching(
        /with `sudo landfall site edit`, or create.*http-proxy.*socks5.*mirrors\.apt.*a full bundle/,
      ),
      problems: [{ message: expect.stringContaining(`images of ${nowhere}: `) }],
    });
  });

  it('reports a blocked route without the hint for the machine that builds bundles', async () => {
    const blocked = await provePrecondition(thin(nowhere)).catch((error: unknown) => error);
    const said = JSON.stringify(blocked);
    expect(said).toContain('set route in site.yaml');
    expect(said).not.toMatch(/--proxy|--ca|HTTPS_PROXY/);
  });

  it('reports a route that does not work without the password of the proxy', async () => {
    const route = { mode: 'http-proxy', url: 'http://me:secret@127.0.0.1:9' };
    const error = await provePrecondition(thin('registry.invalid', { route })).catch(String);
    const shown = await provePrecondition(thin('registry.invalid', { route })).catch(
      (reason: unknown) => JSON.stringify(reason),
    );
    expect(error).toContain('cannot be reached through http://127.0.0.1:9/');
    expect(`${error}${shown}`).not.toContain('secret');
  });

  it('warns about a route that does not work on an installed server, and does not fail', async () => {
    const context = thin(nowhere, {}, { [installedMark]: '1.0.0\n' });
    await provePrecondition(context);
    expect(context.warned).toEqual([expect.stringContaining(`images of ${nowhere}`)]);
  });
});

describe('the APIs of providers', () => {
  it('requests the APIs of providers, and warns if they are unreachable', async () => {
    const providers = {
      openai: { base_url: registry.url('/v1').href },
      deepseek: { base_url: `http://${nowhere}/v1` },
    };
    const context = contextFor(TemporaryHost.with({}), { site: { providers } });
    await warnOfProviders(context);
    expect(registry.seen('/v1')).toHaveLength(1);
    expect(context.warned).toEqual([
      expect.stringMatching(
        /^the provider deepseek cannot be reached .*set a proxy .* or point providers\.deepseek\.base_url at a relay$/,
      ),
    ]);
  });

  it('requests the APIs of providers through the proxy of the site', async () => {
    const site = {
      route: { mode: 'http-proxy', url: proxy.url },
      providers: { openai: { base_url: 'https://api.provider.invalid/v1' } },
    };
    await warnOfProviders(contextFor(TemporaryHost.with({}), { site }));
    expect(proxy.asked).toContain('CONNECT api.provider.invalid:443');
  });
});
