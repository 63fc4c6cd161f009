import { describe, expect, it } from 'vitest';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';

describe('the settings of proxychains', () => {
  it('writes the settings of proxychains from SPEC 4 and 8', () => {
    const lines = proxychainsFile('socks5h://10.0.0.2').split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        ...['strict_chain', 'proxy_dns', 'tcp_read_time_out 15000', 'tcp_connect_time_out 8000'],
        ...['[ProxyList]', 'socks5 10.0.0.2 1080'],
      ]),
    );
  });

  it.each([
    ['http://me:p%40ss@10.0.0.2', 'http 10.0.0.2 80 me p@ss'],
    ['socks5://10.0.0.2:1081', 'socks5 10.0.0.2 1081'],
  ])('name %s as "%s"', (url, line) => {
    expect(proxychainsFile(url)).toContain(`\n${line}\n`);
  });

  it.each([
    ['http://proxy.example:7890', 'a proxy without an IPv4 address'],
    ['socks5://[2001:db8::1]:1080', 'a proxy without an IPv4 address'],
    ['https://10.0.0.2:443', 'a proxy that is reached over TLS'],
    ['http://me:a%20b@10.0.0.2:80', 'a login with spaces'],
  ])('refuses the settings of proxychains for %s: %s', (url, what) => {
    expect(() => proxychainsFile(url)).toThrow(`proxychains does not support ${what}`);
  });
});
