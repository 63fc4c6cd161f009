import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import {
  addProxychains,
  aptProxy,
  proxychainsPath,
  proxyEnv,
} from '../../../../appliance/stages/route/route-settings.ts';
import { routeStage } from '../../../../appliance/stages/route/stage.ts';
import { undoRoute } from '../../../../appliance/stages/route/undo-route.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const route = {
  mode: 'http-proxy' as const,
  url: 'http://me:a%24b;c&d*(e)@10.0.0.2:7890',
  no_proxy: ['.corp.example', '*.lan'],
};

describe('the proxy variables', () => {
  it('returns no proxy variables for a direct route', () => {
    expect(proxyEnv({ route: { mode: 'direct' } })).toBeUndefined();
  });

  it('sets the local HTTP proxy for SOCKS, which most programs do not support', () => {
    const socks = { mode: 'socks5' as const, url: 'socks5h://me:x@10.0.0.2:7891', no_proxy: [] };
    expect(proxyEnv({ route: socks })).toContain("HTTPS_PROXY='http://127.0.0.1:7890'\n");
    expect(proxyEnv({ route: socks })).not.toContain('me:x');
  });

  it('set six variables in a shell, with any password', () => {
    const folder = mkdtempSync(join(tmpdir(), 'landfall-env-'));
    try {
      writeFileSync(join(folder, 'proxy.env'), proxyEnv({ route }) ?? '');
      const script = '. ./proxy.env; echo "$http_proxy"; echo "$HTTPS_PROXY"; echo "$no_proxy"';
      const out = execFileSync('sh', ['-c', script], { cwd: folder, env: {}, encoding: 'utf8' });
      const [lower, upper, exempt] = out.split('\n');
      expect([lower, upper]).toEqual([route.url, route.url]);
      expect(exempt).toMatch(/^localhost,127\.0\.0\.1,.*,\.corp\.example,\*\.lan,\.lan$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

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

const answers = {
  systemctl: '',
  dpkg: '',
  'dpkg-query': 'proxychains4 installed\ntinyproxy-bin installed\n',
  'getent group sudo': `sudo:x:${process.getgid?.()}:ops\n`,
};

function server(route: Readonly<Record<string, unknown>>) {
  const host = TemporaryHost.with({ 'etc/landfall/site.json': '{}' }, answers);
  return { host, context: contextFor(host, { site: { route } }) };
}

const http = (url: string) => ({ mode: 'http-proxy', url });
const locked = http('http://me:secret@192.0.2.2:7890');
const read = (host: TemporaryHost) => readFileSync(host.path(proxychainsPath), 'utf8');
const modeOf = (host: TemporaryHost) => statSync(host.path(proxychainsPath)).mode & 0o777;

describe('the settings of proxychains4 on a server', () => {
  it('limits proxychains settings with a login to root and the administrators', async () => {
    const { host, context } = server(locked);
    await addProxychains(context);
    expect(read(host)).toContain('\nhttp 192.0.2.2 7890 me secret\n');
    expect(modeOf(host)).toBe(0o640);
  });

  it('makes proxychains settings without a login readable for all users', async () => {
    const { host, context } = server(http('http://192.0.2.2:7890'));
    await addProxychains(context);
    expect(modeOf(host)).toBe(0o644);
  });

  it('name the local HTTP proxy of a SOCKS5 route, without a login', async () => {
    const { host, context } = server({
      mode: 'socks5',
      url: 'socks5h://me:secret@proxy.example:1080',
    });
    await addProxychains(context);
    expect(read(host)).toContain('\nhttp 127.0.0.1 7890\n');
    expect(read(host)).not.toContain('secret');
  });

  it('writes the proxychains settings by the command only, and then follows the site', async () => {
    const { host, context } = server(locked);
    await routeStage.apply(context);
    expect(existsSync(host.path(proxychainsPath))).toBe(false);
    await addProxychains(context);
    const moved = contextFor(host, { site: { route: http('http://192.0.2.3:7890') } });
    expect(await routeStage.check(moved)).toContain('set the proxy for proxychains4');
    await routeStage.apply(moved);
    expect(read(host)).toContain('\nhttp 192.0.2.3 7890\n');
    expect(modeOf(host)).toBe(0o644);
  });

  it('removes the proxychains settings with the route', async () => {
    const { host, context } = server(locked);
    await addProxychains(context);
    await undoRoute(context);
    expect(existsSync(host.path(proxychainsPath))).toBe(false);
  });

  it('writes no settings for a proxy that proxychains does not support', async () => {
    const { host, context } = server(http('http://proxy.example:7890'));
    await expect(addProxychains(context)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(host.ran).toEqual([]);
  });
});
