import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { aptProxy } from '../../../appliance/route/apt-proxy.ts';

function rendered(parts: object) {
  const site = { release: ['http://192.0.2.1/'], admin: { ssh_keys: ['ssh-ed25519 AAAA'] } };
  return aptProxy(siteSchema.parse({ ...site, ...parts }));
}

const proxy = { mode: 'http-proxy', url: 'http://10.0.0.2:7890' };

describe('the proxy settings of apt', () => {
  it('renders no proxy settings of apt with a direct route', () => {
    expect(rendered({})).toBeUndefined();
  });

  it('renders the proxy settings of apt for http and https sources', () => {
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

  it('makes the proxy settings of apt readable only by root if they contain a password', () => {
    const route = { ...proxy, url: 'http://me:secret@10.0.0.2:7890' };
    expect(rendered({ route })?.mode).toBe(0o600);
  });

  it.each(['socks5', 'socks5h'])('let a %s proxy resolve names', (scheme) => {
    const route = { mode: 'socks5', url: `${scheme}://10.0.0.2:7891` };
    expect(rendered({ route })?.proxy).toBe('socks5h://10.0.0.2:7891');
  });
});

describe('the hosts that apt reaches directly', () => {
  it('exempts hosts by name only, because apt supports no ranges and no wildcards', () => {
    const exempt = ['mirror.example.net', '*.example.org', '.example.org', '10.0.0.0/8'];
    const text = rendered({ route: { ...proxy, no_proxy: exempt } })?.text;
    expect(direct(text)).toEqual(['mirror.example.net']);
  });

  it('include a mirror in an exempt range or domain', () => {
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
