import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { aptProxy } from '../../../appliance/route/apt-proxy.ts';

function rendered(parts: object) {
  const site = { release: ['http://192.0.2.1/'], admin: { ssh_keys: ['ssh-ed25519 AAAA'] } };
  return aptProxy(siteSchema.parse({ ...site, ...parts }));
}

const proxy = { mode: 'http-proxy', url: 'http://10.0.0.2:7890' };

describe("apt's way out", () => {
  it('needs no settings where it is direct', () => {
    expect(rendered({})).toBeUndefined();
  });

  it('is the proxy, for http and https sources', () => {
    expect(rendered({ route: proxy })).toEqual({
      proxy: 'http://10.0.0.2:7890',
      text: [
        '// Made by Landfall: the proxy of the site.',
        'Acquire::http::Proxy "http://10.0.0.2:7890";',
        'Acquire::https::Proxy "http://10.0.0.2:7890";',
        '',
      ].join('\n'),
      mode: 0o644,
    });
  });

  it("is root's alone where it holds a password", () => {
    const route = { ...proxy, url: 'http://me:secret@10.0.0.2:7890' };
    expect(rendered({ route })?.mode).toBe(0o600);
  });

  it.each(['socks5', 'socks5h'])('lets a %s proxy resolve names', (scheme) => {
    const route = { mode: 'socks5', url: `${scheme}://10.0.0.2:7891` };
    expect(rendered({ route })?.proxy).toBe('socks5h://10.0.0.2:7891');
  });
});

describe('what apt reaches directly', () => {
  it("is what the site exempts by name: apt's settings know no ranges and no wildcards", () => {
    const exempt = ['mirror.example.net', '*.example.org', '.example.org', '10.0.0.0/8'];
    const text = rendered({ route: { ...proxy, no_proxy: exempt } })?.text;
    expect(direct(text)).toEqual(['mirror.example.net']);
  });

  it('is a mirror that a range or a domain exempts', () => {
    const mirrors = {
      apt: 'http://10.0.0.5/debian',
      apt_security: 'http://a.example.org/security',
    };
    const route = { ...proxy, no_proxy: ['.example.org'] };
    expect(direct(rendered({ mirrors, route })?.text)).toEqual(['10.0.0.5', 'a.example.org']);
  });
});

function direct(text = ''): string[] {
  return [...text.matchAll(/^Acquire::http::Proxy::(\S+) "DIRECT";$/gm)].map(
    ([, host = '']) => host,
  );
}
