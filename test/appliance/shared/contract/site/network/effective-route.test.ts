import { describe, expect, it } from 'vitest';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { siteSchema } from '#contract/site/site.ts';
import { localProxy } from '#proxy-settings/local-proxy.ts';

const siteWith = (route: object) =>
  siteSchema.parse({
    release: ['http://192.0.2.1/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
    route,
  });

describe('the effective route', () => {
  it.each([
    { mode: 'direct' },
    { mode: 'http-proxy', url: 'http://192.0.2.2:3128' },
    { mode: 'socks5', url: 'socks5h://192.0.2.2:1080' },
  ])('returns the route of the site on both sides: $mode', (route) => {
    const site = siteWith(route);
    expect(effectiveRoute(site, 'host')).toEqual(site.route);
    expect(effectiveRoute(site, 'container')).toEqual(site.route);
  });

  it('returns the address of the proxy client that a program can reach', () => {
    const site = siteWith({ mode: 'client', no_proxy: ['10.0.0.0/8'] });
    const others = { mode: 'http-proxy', no_proxy: ['10.0.0.0/8'] };
    expect(effectiveRoute(site, 'host')).toEqual({ ...others, url: localProxy.url });
    expect(effectiveRoute(site, 'container')).toEqual({
      ...others,
      url: 'http://198.19.254.1:7890',
    });
  });
});

describe('a route over a proxy client', () => {
  it('lets nothing out without a working proxy by default', () => {
    expect(siteWith({ mode: 'client' }).route).toEqual({
      ...{ mode: 'client', capture: 'none', on_failure: 'closed', no_proxy: [] },
    });
  });

  it('stays an HTTP proxy for every program with capture: host', () => {
    const { route } = siteWith({ mode: 'client', capture: 'host' });
    expect(effectiveRoute({ route }, 'host')).toMatchObject({ mode: 'http-proxy' });
  });
});
