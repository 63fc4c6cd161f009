import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import {
  isInternalBridge,
  parseListenAddress,
  urlsOf,
} from '../../../../../builder/deliver/hosting/serve/listen-address.ts';

describe('parseListenAddress', () => {
  it.each([
    ['127.0.0.1:8080', '127.0.0.1', 8080],
    ['0.0.0.0:0', '0.0.0.0', 0],
    ['[::1]:65535', '::1', 65_535],
  ])('accepts %s', (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ host, port });
  });

  it.each(['8080', ':8080', '::1:8080', '[127.0.0.1]:80', 'localhost:80', '0.0.0.0:65536', ''])(
    'rejects "%s"',
    (text) => {
      expect(() => parseListenAddress(text)).toThrow(expect.objectContaining({ code: 'USAGE' }));
    },
  );
});

it.each([
  ['docker0', true],
  ['br-0123456789ab', true],
  ['virbr0', true],
  ['eth0', false],
  ['br-lan', false],
  ['wlp3s0', false],
])('tells whether %s is a bridge of containers: %s', (name, isInternal) => {
  expect(isInternalBridge(name)).toBe(isInternal);
});

describe('urlsOf', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080/'],
    ['::1', 'http://[::1]:8080/'],
  ])('returns a URL of %s that a site accepts', (host, url) => {
    expect(urlsOf({ host, port: 8080 })).toEqual([url]);
    expect(siteSchema.shape.release.parse([url])).toEqual([url]);
  });

  it('returns the URLs of all addresses of the machine, with loopback last', () => {
    const outer = Object.entries(networkInterfaces())
      .filter(([name]) => !isInternalBridge(name))
      .flatMap(([, addresses]) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    const expected = [...outer.map(({ address }) => address), '127.0.0.1'];
    expect(urlsOf({ host: '0.0.0.0', port: 1 })).toEqual(
      expected.map((host) => `http://${host}:1/`),
    );
  });
});
