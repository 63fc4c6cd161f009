import { describe, expect, it } from 'vitest';
import { renderTinyproxy } from '../../../../../../appliance/stages/stack/components/tinyproxy/configuration.ts';
import { stackInput } from '../../stack-input.ts';

function settingsOf(site: Record<string, unknown>): string[] {
  const [settings] = renderTinyproxy(stackInput(site));
  return (settings?.content ?? '').split('\n');
}

describe('the proxy', () => {
  it('requires the generated credentials by default', () => {
    expect(settingsOf({})).toContain(
      'BasicAuth secret-of-tinyproxy_username secret-of-tinyproxy_password',
    );
  });

  it('uses the user of the site', () => {
    const line = settingsOf({ tinyproxy: { username: 'me' } }).find((each) =>
      each.startsWith('BasicAuth'),
    );
    expect(line).toBe('BasicAuth me secret-of-tinyproxy_password');
  });

  it('requires no credentials only with i-understand', () => {
    const lines = settingsOf({ tinyproxy: { open: 'i-understand' } });
    expect(lines.filter((line) => line.startsWith('BasicAuth'))).toEqual([]);
  });

  it('connects to TLS ports only', () => {
    expect(settingsOf({}).filter((line) => line.startsWith('ConnectPort'))).toEqual([
      'ConnectPort 443',
      'ConnectPort 563',
    ]);
  });

  it.each([{}, { tinyproxy: { domains: 'any' } }])(
    'denies every URL that its filter does not allow: %o',
    (site) => {
      expect(settingsOf(site)).toContain('FilterDefaultDeny Yes');
      expect(settingsOf(site)).toContain('FilterURLs On');
    },
  );

  it('allows the clients of the site and the health check', () => {
    const lines = settingsOf({ tinyproxy: { allow: ['10.1.0.0/16'] } });
    expect(lines.filter((line) => line.startsWith('Allow'))).toEqual([
      'Allow 127.0.0.1',
      'Allow 10.1.0.0/16',
    ]);
  });

  it.each([
    [{ mode: 'http-proxy', url: 'http://10.0.0.2:7890' }, 'Upstream http 10.0.0.2:7890'],
    [{ mode: 'socks5', url: 'socks5h://10.0.0.2:7891' }, 'Upstream socks5 10.0.0.2:7891'],
    [
      { mode: 'http-proxy', url: 'http://me:p%3Ass@10.0.0.2:7890' },
      'Upstream http me:p:ss@10.0.0.2:7890',
    ],
    // tinyproxy(8) requires a port in this line.
    [{ mode: 'http-proxy', url: 'http://10.0.0.2' }, 'Upstream http 10.0.0.2:80'],
    [{ mode: 'http-proxy', url: 'http://10.0.0.2:80/' }, 'Upstream http 10.0.0.2:80'],
    [{ mode: 'socks5', url: 'socks5h://10.0.0.2' }, 'Upstream socks5 10.0.0.2:1080'],
  ])('uses the route %o', (route, line) => {
    expect(settingsOf({ route })).toContain(line);
  });

  it('connects directly without a route', () => {
    expect(settingsOf({}).filter((line) => line.startsWith('Upstream'))).toEqual([]);
  });
});
