import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addProxychains, proxychainsPath } from '../../../appliance/route/proxychains.ts';
import { routeStage } from '../../../appliance/route/stage.ts';
import { undoRoute } from '../../../appliance/route/undo-route.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

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
