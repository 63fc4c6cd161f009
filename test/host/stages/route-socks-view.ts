import { afterAll, beforeAll, expect, it } from 'vitest';
import { SocksProxy } from '../../faulty-server/socks-proxy.ts';
import type { StageServer } from './stage-server.ts';

/**
 * Tests a route over a SOCKS5 proxy that requires a login and resolves names, on a network without
 * direct internet access.
 * @param codename of the distribution of the server
 */
export function itUsesASocksProxy(server: () => StageServer, codename: string): void {
  let socks: SocksProxy;

  beforeAll(async () => {
    const address = server().cloud.network.gateway.v4;
    const names = { 'mirror.invalid': address };
    socks = await SocksProxy.start({ login: 'me:secret', names, address });
    const url = `socks5h://me:secret@${socks.host}`;
    const mirror = `http://mirror.invalid:${new URL(server().cloud.packages).port}`;
    const mirrors = { apt: `${mirror}/debian`, apt_security: `${mirror}/debian-security` };
    await server().stages.give({ site: { route: { mode: 'socks5', url }, mirrors } });
  });
  afterAll(() => socks.close());

  it('takes packages through the proxy, and reports that other containers have no proxy', async () => {
    const { error, warned } = await server().stages.run('apply', 'route');
    expect(error).toBeUndefined();
    expect(warned).toEqual([expect.stringContaining('containers have no proxy')]);
    await server().host.output('apt-get update --error-on=any');
    expect(socks.asked).toContain(`mirror.invalid:${new URL(server().cloud.packages).port}`);
  });

  it.each([
    ['curl', (url: string) => `curl -sS ${url}`],
    ['wget', (url: string) => `wget -qO- ${url}`],
    [
      'Python',
      (url: string) => `python3 -c "
import urllib.request
print(urllib.request.urlopen('${url}').read().decode())"`,
    ],
    [
      'Node',
      (url: string) => `NODE_USE_ENV_PROXY=1 /opt/stage-runner/node -e "
      fetch('${url}').then((r) => r.text()).then(console.log)"`,
    ],
  ])('serves %s of a user, with the name resolved at the proxy', async (_name, command) => {
    const url = `http://mirror.invalid:${new URL(server().cloud.packages).port}/debian/dists/${codename}/InRelease`;
    socks.asked.length = 0;
    await server().host.put('/tmp/fetch.sh', command(url), '0755');
    expect(await server().host.output('sh -lc ". /tmp/fetch.sh"', { user: 'nobody' })).toContain(
      'Suite:',
    );
    expect(socks.asked).toEqual([`mirror.invalid:${new URL(server().cloud.packages).port}`]);
  });

  it('runs a local HTTP proxy without privileges, which only this server reaches', async () => {
    expect(await server().host.output("ss -Htln 'sport = :7890' | awk '{print $4}'")).toBe(
      '127.0.0.1:7890',
    );
    const unit = 'landfall-local-proxy.service';
    const exposure = await server().host.output(
      `systemd-analyze security --no-pager ${unit} | tail -1`,
    );
    expect(exposure).toMatch(/exposure level for .*: [0-2]\.\d OK/);
  });

  it('undoes the SOCKS5 route with its local HTTP proxy', async () => {
    expect((await server().stages.run('undoRoute')).error).toBeUndefined();
    expect(
      await server().host.output('ls /etc/systemd/system/*.wants | grep -c local-proxy || true'),
    ).toBe('0');
    expect(await server().host.output("ss -Htln 'sport = :7890'")).toBe('');
    expect(await server().stages.run('apply', 'route')).not.toHaveProperty('error');
  });

  it('keeps the password readable for root only', async () => {
    const readable = 'grep -rls me:secret /etc /run /var/lib/landfall || true';
    expect(await server().host.run(readable, { user: 'nobody' })).toMatchObject({ stdout: '' });
    const files = (await server().host.output(readable)).split('\n').sort();
    expect(files).toEqual([
      '/etc/apt/apt.conf.d/99landfall-proxy',
      '/etc/tinyproxy/tinyproxy.conf',
    ]);
  });
}
