import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loginValuesFile } from '../../../../appliance/stages/route/login/login-settings.ts';
import { aptProxyFile, proxyEnvFile } from '../../../../appliance/stages/route/route-settings.ts';
import { routeStage } from '../../../../appliance/stages/route/stage.ts';
import { contextFor, type Differences } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const list = 'etc/apt/sources.list';
const stanzas = 'etc/apt/sources.list.d/debian.sources';
const original = {
  [list]: 'deb http://deb.debian.org/debian trixie main\n',
  [stanzas]: 'Types: deb\nURIs: http://deb.debian.org/debian\nSuites: trixie\nComponents: main\n',
  'etc/apt/sources.list.d/README.txt': 'deb http://deb.debian.org/debian trixie main\n',
};
/** apt has no archives. The timer is active once it is installed. */
const noArchives = { 'apt-get update --print-uris': '', 'systemctl ': '' };
const timer = 'check the route every 15 minutes';
/** The group of the administrators, which the user of this test is in. */
const group = { 'getent group sudo': `sudo:x:${process.getgid?.()}:ops\n` };
const mirrors = { apt: 'http://192.0.2.7/debian' };

function fresh(differences: Differences = {}) {
  const host = TemporaryHost.with(original, { ...noArchives, ...group });
  return { host, context: contextFor(host, differences) };
}

const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');

describe('a direct route without mirrors', () => {
  it('only installs the timer of route checks', async () => {
    const { host, context } = fresh();
    expect(await routeStage.check(context)).toEqual([timer]);
    await routeStage.apply(context);
    expect(await routeStage.check(context)).toEqual([]);
    expect(read(host, list)).toBe(original[list]);
    expect(existsSync(host.path(proxyEnvFile))).toBe(false);
  });
});

describe('mirrors', () => {
  it('replace the archives once, and the original sources are kept', async () => {
    const { host, context } = fresh({ site: { mirrors } });
    expect(await routeStage.check(context)).toEqual([
      `use the mirror http://192.0.2.7/debian in /${list}`,
      `use the mirror http://192.0.2.7/debian in /${stanzas}`,
      timer,
    ]);
    await routeStage.apply(context);
    expect(read(host, list)).toBe('deb http://192.0.2.7/debian trixie main\n');
    expect(read(host, stanzas)).toContain('URIs: http://192.0.2.7/debian\n');
    expect(read(host, `var/lib/landfall/apt-sources/${list}`)).toBe(original[list]);
    expect(await routeStage.check(context)).toEqual([]);
  });

  it('keeps mirrors when cloud-init runs again', async () => {
    const { host, context } = fresh({ site: { mirrors } });
    await routeStage.apply(context);
    expect(read(host, 'etc/cloud/cloud.cfg.d/99-landfall-apt.cfg')).toBe(
      'apt:\n  preserve_sources_list: true\n',
    );
  });

  it('never overwrite the original sources', async () => {
    const { host, context } = fresh({ site: { mirrors } });
    await routeStage.apply(context);
    const other = { mirrors: { apt: 'http://192.0.2.8/debian' } };
    await routeStage.apply(contextFor(host, { site: other }));
    expect(read(host, list)).toContain('192.0.2.8');
    expect(read(host, `var/lib/landfall/apt-sources/${list}`)).toBe(original[list]);
  });

  it('serve security updates too on Ubuntu, which has a single archive', async () => {
    const line = 'deb http://security.ubuntu.com/ubuntu noble-security main\n';
    const host = TemporaryHost.with({ [list]: line }, noArchives);
    const server = { distribution: { id: 'ubuntu', version: '24.04' }, codename: 'noble' };
    await routeStage.apply(contextFor(host, { server, site: { mirrors } }));
    expect(read(host, list)).toBe('deb http://192.0.2.7/debian noble-security main\n');
  });
});

describe('a proxy', () => {
  const route = { mode: 'http-proxy', url: 'http://me:secret@192.0.2.2:7890' };

  it('sets the proxy readable only by root, and reports it without its password', async () => {
    const { host, context } = fresh({ site: { route } });
    const plan = await routeStage.check(context);
    expect(plan).toEqual([
      'set the proxy for packages',
      'set the proxy for services',
      'set the proxy for login shells',
      timer,
    ]);
    await routeStage.apply(context);
    for (const path of [aptProxyFile, proxyEnvFile]) {
      expect(read(host, path)).toContain(route.url);
      expect(statSync(host.path(path)).mode & 0o777).toBe(0o600);
    }
    expect(await routeStage.check(context)).toEqual([]);
    expect([...context.said, ...context.warned, ...host.ran].join()).not.toContain('secret');
  });

  it('removes a proxy when the site has a direct route again', async () => {
    const { host, context } = fresh({ site: { route } });
    await routeStage.apply(context);
    const direct = contextFor(host);
    expect(await routeStage.check(direct)).toHaveLength(3);
    await routeStage.apply(direct);
    expect(existsSync(host.path(aptProxyFile))).toBe(false);
    expect(existsSync(host.path(proxyEnvFile))).toBe(false);
  });

  it('accepts a proxy only if apt uses it', async () => {
    const effective = (value: string) => {
      const host = TemporaryHost.with(original, { ...noArchives, 'apt-config dump': value });
      return contextFor(host, { site: { route } });
    };
    await routeStage.prove(effective(`${route.url}\nDIRECT`));
    await expect(routeStage.prove(effective('http://other:1'))).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      message: 'apt does not use the proxy of the site',
    });
  });
});

describe('a SOCKS5 proxy', () => {
  const url = 'socks5h://me:secret@192.0.2.2:7891';
  const running = {
    ...{ ...noArchives, 'apt-config dump': url, 'systemctl is-active': '' },
    ...{ 'dpkg-query': 'tinyproxy-bin installed\n', 'systemctl is-enabled': '' },
    ...{ 'getent group proxy': `proxy:x:${process.getgid?.()}:\n`, journalctl: 1 },
  };
  const socks = (answers: Answers) => {
    const host = TemporaryHost.with(original, { ...running, ...answers });
    return { host, context: contextFor(host, { site: { route: { mode: 'socks5', url } } }) };
  };

  it('uses a SOCKS5 proxy for apt, with a warning that containers have no proxy', async () => {
    const { context } = socks({});
    expect(await routeStage.check(context)).toEqual([
      'set the proxy for packages',
      'set the proxy for services',
      'set the proxy for login shells',
      'start an HTTP proxy at 127.0.0.1:7890',
      timer,
    ]);
    await routeStage.prove(context);
    expect(context.warned).toEqual([expect.stringContaining('containers have no proxy')]);
  });

  it('serves services and login shells through the HTTP proxy, which hides its login', async () => {
    const { host, context } = socks({ systemctl: '' });
    await routeStage.apply(context);
    for (const path of [proxyEnvFile, loginValuesFile]) {
      expect(read(host, path)).toContain("https_proxy='http://127.0.0.1:7890'");
      expect(read(host, path)).not.toContain('secret');
    }
    expect(await routeStage.check(context)).toEqual([]);
  });

  it('rejects a SOCKS5 proxy if its HTTP proxy does not run', async () => {
    const { context } = socks({ 'systemctl is-active': 3 });
    await expect(routeStage.prove(context)).rejects.toMatchObject({
      message: 'the HTTP proxy at 127.0.0.1:7890 is not running',
    });
  });
});
