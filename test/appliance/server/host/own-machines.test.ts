import { expect, it } from 'vitest';
import { routeToProviders } from '../../../../appliance/server/host/own-machines.ts';

const plain = 'i-understand' as const;
const proxy = {
  mode: 'http-proxy' as const,
  url: 'http://10.0.0.2:7890',
  no_proxy: ['.corp.example'],
};

it('exempts private addresses of own machines from a proxy, and nothing else', () => {
  const providers = {
    one: { base_url: 'http://10.0.0.5:8000/v1', plain },
    same: { base_url: 'http://10.0.0.5:9000/v1', plain },
    two: { base_url: 'http://[fd00::5]:8000/v1', plain },
    public: { base_url: 'http://203.0.113.9/v1', plain },
    named: { base_url: 'http://gpu.lan/v1', plain },
    other: { base_url: 'http://10.0.0.6/v1' },
  };
  expect(routeToProviders({ providers }, proxy)).toEqual({
    ...proxy,
    no_proxy: ['.corp.example', '10.0.0.5', 'fd00::5'],
  });
});

it('keeps a direct route, and that of a site without own machines', () => {
  const providers = { one: { base_url: 'http://10.0.0.5:8000/v1', plain } };
  const direct = { mode: 'direct' as const };
  expect(routeToProviders({ providers }, direct)).toBe(direct);
  expect(routeToProviders({ providers: {} }, proxy)).toBe(proxy);
});
