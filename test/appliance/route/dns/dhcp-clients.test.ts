import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { install, missing } from '../../../../appliance/host/service.ts';
import { dhcpSettings } from '../../../../appliance/route/dns/dhcp-clients.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const dhclient = 'etc/dhcp/dhclient-enter-hooks.d/zz-landfall-dns';

async function apply(host: TemporaryHost, stopped: boolean): Promise<string[]> {
  const settings = { files: dhcpSettings(host, stopped) };
  const todo = await missing(host, settings);
  await install(host, settings);
  return todo.map((line) => line.replace('set the DNS servers for ', ''));
}

describe('DHCP clients and /etc/resolv.conf', () => {
  it('are not changed if none is installed', async () => {
    expect(await apply(TemporaryHost.with({}), true)).toEqual([]);
  });

  it('of dhclient and dhcpcd are stopped by their own hooks', async () => {
    const host = TemporaryHost.with({
      'etc/dhcp/dhclient-enter-hooks.d/resolvconf': '',
      'usr/lib/dhcpcd/dhcpcd-hooks/20-resolv.conf': '',
    });
    expect(await apply(host, true)).toEqual(['dhclient', 'dhcpcd']);
    expect(readFileSync(host.path(dhclient), 'utf8')).toContain('make_resolv_conf() { :; }');
    expect(readFileSync(host.path('etc/dhcpcd.enter-hook'), 'utf8')).toContain(
      'skip_hooks="$skip_hooks resolv.conf"',
    );
    await apply(host, false);
    expect(existsSync(host.path(dhclient))).toBe(false);
    expect(existsSync(host.path('etc/dhcpcd.enter-hook'))).toBe(false);
  });

  it.each(['resolv_conf=/etc/resolv.conf\n', 'name_servers=127.0.0.1'])(
    'of openresolv get a block in its settings, which is removed byte for byte: %j',
    async (text) => {
      const path = 'etc/resolvconf.conf';
      const host = TemporaryHost.with({ [path]: text });
      expect(await apply(host, true)).toEqual(['openresolv']);
      expect(readFileSync(host.path(path), 'utf8')).toMatch(
        /^(?:.*\n)+resolv_conf=\/run\/resolvconf\/resolv\.conf\n.*\n$/,
      );
      await apply(host, false);
      expect(readFileSync(host.path(path), 'utf8')).toBe(text);
    },
  );
});
