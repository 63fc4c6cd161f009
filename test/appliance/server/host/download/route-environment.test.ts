import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { serviceNames } from '#contract/component-names.ts';
import { isExempt } from '#http/no-proxy.ts';
import {
  exemptions,
  goRouteEnvironment,
  routeEnvironment,
} from '../../../../../appliance/server/host/download/route-environment.ts';

const direct = { route: { mode: 'direct' as const } };
const proxied = {
  route: { mode: 'http-proxy' as const, url: 'http://10.0.0.2:7890/', no_proxy: ['.corp.example'] },
};
const socks = {
  route: { mode: 'socks5' as const, url: 'socks5h://10.0.0.2:7891', no_proxy: [] },
};

describe('the route as variables', () => {
  it('returns no variables for a direct route', () => {
    expect(routeEnvironment(direct, 'host')).toEqual({});
    expect(goRouteEnvironment(direct, 'host')).toEqual({});
  });

  it('returns route variables in upper and lower case, without a trailing slash in the URL', () => {
    expect(routeEnvironment(proxied, 'host')).toEqual({
      HTTP_PROXY: 'http://10.0.0.2:7890',
      HTTPS_PROXY: 'http://10.0.0.2:7890',
      NO_PROXY: exemptions(proxied),
      http_proxy: 'http://10.0.0.2:7890',
      https_proxy: 'http://10.0.0.2:7890',
      no_proxy: exemptions(proxied),
    });
  });

  it('always has a port, because curl uses a different default', () => {
    const route = { ...proxied.route, url: 'http://me:p%3Ass@10.0.0.2' };
    const proxy = 'http://me:p%3Ass@10.0.0.2:80';
    expect(routeEnvironment({ route }, 'host')).toMatchObject({
      HTTPS_PROXY: proxy,
      http_proxy: proxy,
    });
    const plain = { route: { ...socks.route, url: 'socks5h://10.0.0.2' } };
    expect(goRouteEnvironment(plain, 'host')).toMatchObject({
      HTTPS_PROXY: 'socks5://10.0.0.2:1080',
    });
  });

  it('returns SOCKS5 variables only for Go programs', () => {
    expect(routeEnvironment(socks, 'host')).toEqual({});
    expect(goRouteEnvironment(socks, 'host')).toMatchObject({
      HTTPS_PROXY: 'socks5://10.0.0.2:7891',
    });
  });
});

describe('a route over a proxy client', () => {
  const client = {
    route: {
      ...{ mode: 'client' as const, capture: 'none' as const, on_failure: 'closed' as const },
      no_proxy: ['.corp.example'],
    },
  };

  it.each([
    ['host', 'http://127.0.0.1:7890'],
    ['container', 'http://198.19.254.1:7890'],
  ] as const)('returns the HTTP proxy of a proxy client for programs in the %s', (side, url) => {
    for (const variables of [routeEnvironment(client, side), goRouteEnvironment(client, side)]) {
      expect(variables).toMatchObject({ HTTPS_PROXY: url, http_proxy: url });
      expect(variables.NO_PROXY).toContain('.corp.example');
    }
  });
});

describe('the exemptions from the proxy', () => {
  it.each([
    'http://localhost/',
    'http://127.0.0.1:11434/',
    'http://[::1]/',
    'http://10.1.2.3/',
    'http://172.20.0.5/',
    'http://192.168.1.1/',
    'http://[fd00::1]/',
    'http://printer.local/',
    'http://engine:11434/',
    'https://git.corp.example/',
  ])('include %s', (url) => {
    expect(isExempt(new URL(url), exemptions(proxied))).toBe(true);
  });

  it.each(['https://api.openai.com/', 'http://172.32.0.1/', 'https://engineering.example/'])(
    'do not include %s',
    (url) => {
      expect(isExempt(new URL(url), exemptions(proxied))).toBe(false);
    },
  );

  it('include every service of the stack but HAProxy, with and without a leading dot', () => {
    const path = new URL('../../../../../compose/compose.yaml', import.meta.url);
    const stack = z
      .object({ services: z.record(z.string(), z.unknown()) })
      .parse(parse(readFileSync(path, 'utf8'), { merge: true }));
    const entries = exemptions(direct).split(',');
    expect(entries).not.toContain('balancer');
    for (const name of Object.keys(stack.services).filter((each) => each !== 'balancer')) {
      expect(serviceNames).toContain(name);
      expect(entries).toEqual(expect.arrayContaining([name, `.${name}`]));
    }
  });
});
