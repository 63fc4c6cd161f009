import { describe, expect, it } from 'vitest';
import { renderTinyproxy } from '../../../../../appliance/stack/components/tinyproxy/configuration.ts';
import { stackInput } from '../../stack-input.ts';

function settingsOf(site: Record<string, unknown>): string[] {
  const [settings] = renderTinyproxy(stackInput(site));
  return (settings?.content ?? '').split('\n');
}

describe('the proxy', () => {
  it('wants credentials that the server made when nobody gave any', () => {
    expect(settingsOf({})).toContain(
      'BasicAuth secret-of-tinyproxy_username secret-of-tinyproxy_password',
    );
  });

  it('takes the name of the user from the site', () => {
    const line = settingsOf({ tinyproxy: { username: 'me' } }).find((each) =>
      each.startsWith('BasicAuth'),
    );
    expect(line).toBe('BasicAuth me secret-of-tinyproxy_password');
  });

  it('wants none only for somebody who understands', () => {
    const lines = settingsOf({ tinyproxy: { open: 'i-understand' } });
    expect(lines.filter((line) => line.startsWith('BasicAuth'))).toEqual([]);
  });

  it('connects to the ports of TLS alone', () => {
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

  it('lets in whom the site names, and its own health check', () => {
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
    // tinyproxy(8) reads no line without a port.
    [{ mode: 'http-proxy', url: 'http://10.0.0.2' }, 'Upstream http 10.0.0.2:80'],
    [{ mode: 'http-proxy', url: 'http://10.0.0.2:80/' }, 'Upstream http 10.0.0.2:80'],
    [{ mode: 'socks5', url: 'socks5h://10.0.0.2' }, 'Upstream socks5 10.0.0.2:1080'],
  ])('leaves by the route %o', (route, line) => {
    expect(settingsOf({ route })).toContain(line);
  });

  it('leaves directly without one', () => {
    expect(settingsOf({}).filter((line) => line.startsWith('Upstream'))).toEqual([]);
  });
});
