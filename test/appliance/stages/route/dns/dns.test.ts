import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolvedFile } from '#contract/site/network/dns.ts';
import { writeText } from '../../../../../appliance/server/host/files.ts';
import { install, missing } from '../../../../../appliance/server/host/service.ts';
import { dhcpSettings, dnsMeasure } from '../../../../../appliance/stages/route/dns/dns.ts';
import { withoutRoute } from '../../../../../appliance/stages/route/undo-route.ts';
import { contextFor } from '../../../context.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const stub = '../run/systemd/resolve/stub-resolv.conf';
const dns = { nameserver: ['9.9.9.9', '1.1.1.1'] };
const restart = 'systemctl restart systemd-resolved.service';
/** Without it, systemd stops a service that is restarted often. */
const resetCount = 'systemctl reset-failed systemd-resolved.service';
const original = 'search corp.example\nnameserver 10.0.0.2\noptions rotate\n';
const ours =
  '# Made by Landfall. `sudo landfall route off` restores the previous file.\nnameserver 9.9.9.9\nnameserver 1.1.1.1\nsearch corp.example\noptions rotate\n';

function server(
  { link, text, site = { dns } }: { link?: string; text?: string; site?: object },
  answers: Answers = {},
) {
  const files = {
    'etc/hostname': 'one\n',
    ...(text === undefined ? {} : { 'etc/resolv.conf': text }),
  };
  const host = TemporaryHost.with(files, {
    'systemctl is-active --quiet systemd-resolved.service': link === stub ? '' : 3,
    resolvectl: 'Global: 9.9.9.9 1.1.1.1\nLink 2 (eth0): 10.0.0.2\n',
    [resetCount]: '',
    [restart]: '',
    ...answers,
  });
  if (link !== undefined) symlinkSync(link, host.path('etc/resolv.conf'));
  return { ...contextFor(host, { site: { ...site } }), host };
}
const resolvConf = (host: TemporaryHost) => readFileSync(host.path('etc/resolv.conf'), 'utf8');

describe('DNS servers of the site with systemd-resolved', () => {
  it('writes the DNS servers of the site to a drop-in, and keeps /etc/resolv.conf as a link', async () => {
    const context = server({ link: stub });
    expect(await dnsMeasure.check(context)).toEqual(['set the DNS servers for systemd-resolved']);
    await dnsMeasure.apply(context);
    expect(readFileSync(context.host.path(resolvedFile), 'utf8')).toContain('DNS=9.9.9.9 1.1.1.1');
    expect(readlinkSync(context.host.path('etc/resolv.conf'))).toBe(stub);
    expect(context.host.ran.slice(-2)).toEqual([resetCount, restart]);
    expect(await dnsMeasure.check(context)).toEqual([]);
  });

  it('restarts systemd-resolved if it runs with other DNS servers, as after an interruption', async () => {
    const context = server({ link: stub }, { resolvectl: 'Global: 10.0.0.2\n' });
    await dnsMeasure.apply(context);
    expect(await dnsMeasure.check(context)).toEqual(['restart systemd-resolved']);
    context.host.ran.length = 0;
    await dnsMeasure.apply(context);
    expect(context.host.ran).toContain(restart);
  });

  it('may be written in another form than the one that resolvectl prints', async () => {
    const nameserver = ['2620:FE:0::FE#dns.quad9.net'];
    const answers = { resolvectl: 'Global: 2620:fe::fe#dns.quad9.net\n' };
    const context = server({ link: stub, site: { dns: { nameserver, tls: true } } }, answers);
    await dnsMeasure.apply(context);
    expect(await dnsMeasure.check(context)).toEqual([]);
  });

  it('removes the DNS servers with their folder when the site no longer sets them', async () => {
    const context = server({ link: stub });
    await dnsMeasure.apply(context);
    const without = { ...context, site: withoutRoute(context.site) };
    expect(await dnsMeasure.check(without)).toEqual([
      'remove the DNS servers for systemd-resolved',
    ]);
    await dnsMeasure.apply(without);
    expect(() => lstatSync(context.host.path('etc/systemd/resolved.conf.d'))).toThrow('ENOENT');
    expect(context.host.ran.at(-1)).toBe(restart);
    expect(await dnsMeasure.check(without)).toEqual([]);
  });
});

describe('DNS servers of the site without systemd-resolved', () => {
  it('replace those in /etc/resolv.conf, and keep its options', async () => {
    const context = server({ text: original });
    expect(await dnsMeasure.check(context)).toEqual(['set the DNS servers in /etc/resolv.conf']);
    await dnsMeasure.apply(context);
    expect(resolvConf(context.host)).toBe(ours);
    expect(await dnsMeasure.check(context)).toEqual([]);
  });

  it('replace its search domains by those of the site', async () => {
    const site = { dns: { ...dns, search: ['new.example'] } };
    const context = server({ text: original, site });
    await dnsMeasure.apply(context);
    expect(resolvConf(context.host)).toMatch(/1\.1\.1\.1\nsearch new\.example\noptions rotate\n$/);
  });

  it.each([
    ['a file', { text: original } as { text?: string; link?: string }],
    ['a link of resolvconf', { link: '../run/resolvconf/resolv.conf' }],
    ['no file', {}],
  ])('restores %s when the DNS servers of the site are undone', async (_, given) => {
    const context = server(given);
    await dnsMeasure.apply(context);
    const changed = {
      ...context.site,
      dns: { ...dns, nameserver: ['8.8.8.8'], search: [], tls: false },
    };
    await dnsMeasure.apply({ ...context, site: changed });
    expect(resolvConf(context.host)).toContain('nameserver 8.8.8.8\n');
    await dnsMeasure.apply({ ...context, site: withoutRoute(context.site) });
    const path = context.host.path('etc/resolv.conf');
    if (given.link) expect(readlinkSync(path)).toBe(given.link);
    else if (given.text) expect(readFileSync(path, 'utf8')).toBe(given.text);
    else expect(() => lstatSync(path)).toThrow('ENOENT');
    expect(await dnsMeasure.check({ ...context, site: withoutRoute(context.site) })).toEqual([]);
  });

  it('sets the DNS servers again after another program has written the file', async () => {
    const context = server({ text: original });
    await dnsMeasure.apply(context);
    writeFileSync(context.host.path('etc/resolv.conf'), 'nameserver 10.0.0.3\n');
    expect(await dnsMeasure.check(context)).toEqual(['set the DNS servers in /etc/resolv.conf']);
    await dnsMeasure.apply(context);
    expect(resolvConf(context.host)).toBe(ours);
  });

  it('leave /etc/resolv.conf to systemd-resolved when it is installed later', async () => {
    const context = server({ link: '/run/systemd/resolve/resolv.conf' });
    await dnsMeasure.apply(context);
    const host = TemporaryHost.with(
      {},
      {
        'systemctl is-active': '',
        resolvectl: 'Global: 9.9.9.9 1.1.1.1\n',
        [resetCount]: '',
        [restart]: '',
      },
    );
    for (const path of ['etc/resolv.conf', 'var/lib/landfall/resolv-conf.json']) {
      const text = readFileSync(context.host.path(path), 'utf8');
      await writeText(host, path, text);
    }
    await dnsMeasure.apply({ ...context, host });
    expect(readlinkSync(host.path('etc/resolv.conf'))).toBe('/run/systemd/resolve/resolv.conf');
    expect(await dnsMeasure.check({ ...context, host })).toEqual([]);
  });

  it('cannot be encrypted', async () => {
    const context = server({ text: original, site: { dns: { ...dns, tls: true } } });
    await expect(dnsMeasure.apply(context)).rejects.toMatchObject({ code: 'SERVER_UNFIT' });
    expect(resolvConf(context.host)).toBe(original);
  });

  it('refuses to restore /etc/resolv.conf from a damaged copy', async () => {
    const context = server({ text: original });
    await dnsMeasure.apply(context);
    writeFileSync(context.host.path('var/lib/landfall/resolv-conf.json'), '{');
    await expect(
      dnsMeasure.apply({ ...context, site: withoutRoute(context.site) }),
    ).rejects.toMatchObject({
      code: 'STATE_INVALID',
    });
  });
});

const dhclient = 'etc/dhcp/dhclient-enter-hooks.d/zz-landfall-dns';

async function apply(host: TemporaryHost, stopped: boolean): Promise<string[]> {
  const settings = { files: dhcpSettings(host, stopped) };
  const todo = await missing(host, settings);
  await install(host, settings);
  return todo.map((line) => line.replace('set the DNS servers for ', ''));
}

describe('DHCP clients and /etc/resolv.conf', () => {
  it('changes no settings of a DHCP client if none is installed', async () => {
    expect(await apply(TemporaryHost.with({}), true)).toEqual([]);
  });

  it('stops dhclient and dhcpcd from writing /etc/resolv.conf with their own hooks', async () => {
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
    'adds a block to the settings of openresolv, and removes it byte for byte: %j',
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
