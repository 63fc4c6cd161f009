import { describe, expect, it } from 'vitest';
import { appArmorCheck } from '../../../../appliance/operations/doctor/checks/server.ts';
import { denialsOf, describeDenial } from '../../../../appliance/server/host/apparmor.ts';
import { look } from '../../operations/doctor/look.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** A line of the kernel, as journald keeps it. */
const line = (fields: string) =>
  `audit: type=1400 audit(1789969825.385:194): apparmor="DENIED" operation="open" class="file" ${fields} fsuid=0 ouid=0`;
const tinyproxy = line(
  'profile="tinyproxy" name="/run/credentials/landfall-local-proxy.service/tinyproxy.conf" pid=3600 comm="tinyproxy" requested_mask="r" denied_mask="r"',
);

const server = (...lines: string[]) => TemporaryHost.with({}, { journalctl: lines.join('\n') });

describe('denials of AppArmor', () => {
  it('name the profile, the program and the path, each path once', async () => {
    const found = await denialsOf(server(tinyproxy, tinyproxy));
    expect(found.map((denial) => describeDenial(denial).en)).toEqual([
      'the AppArmor profile tinyproxy denied tinyproxy the access r to /run/credentials/landfall-local-proxy.service/tinyproxy.conf',
    ]);
  });

  it('count for a part of a profile and for a profile with a path as its name', async () => {
    const part = line('profile="wg-quick//ip" name="/srv/a" comm="ip" denied_mask="r"');
    const path = line(
      'profile="/usr/sbin/redsocks" name="/srv/b" comm="redsocks" denied_mask="wc"',
    );
    const found = await denialsOf(server(part, path));
    expect(found.map(({ profile, path: file, mask }) => [profile, file, mask])).toEqual([
      ['wg-quick', '/srv/a', 'r'],
      ['redsocks', '/srv/b', 'wc'],
    ]);
  });

  it('name a path that the kernel wrote in hexadecimal digits', async () => {
    const name = Buffer.from('/etc/tinyproxy/another é.conf').toString('hex').toUpperCase();
    const [found] = await denialsOf(
      server(line(`profile="tinyproxy" name=${name} pid=36 comm="tinyproxy" denied_mask="r"`)),
    );
    expect(found).toMatchObject({ profile: 'tinyproxy', path: '/etc/tinyproxy/another é.conf' });
  });

  it.each([
    ['of another program', line('profile="firefox" name="/srv/a" comm="firefox" denied_mask="r"')],
    ['of a container', line('profile="docker-default" name="/proc/x" comm="tar" denied_mask="w"')],
    [
      'of a socket of Node, which has no path',
      'audit: type=1400 audit(1:2): apparmor="DENIED" operation="file_inherit" profile="tar" pid=1 comm="tar" family="unix" sock_type="stream" denied_mask="send receive" addr=none peer_addr=none',
    ],
    ['in complain mode', tinyproxy.replace('DENIED', 'ALLOWED')],
    ['that a program has made up', 'apparmor=DENIED profile=tinyproxy name=/x'],
  ])('do not count if they are %s', async (_what, text) => {
    expect(await denialsOf(server(text))).toEqual([]);
  });

  it('do not exist on a server without AppArmor', async () => {
    expect(await denialsOf(TemporaryHost.with({}, { journalctl: 1 }))).toEqual([]);
  });

  it('become findings of the doctor', async () => {
    expect(await look(appArmorCheck, server(tinyproxy))).toEqual([
      ['APPARMOR_DENIED', 'tinyproxy', expect.stringContaining('/run/credentials/')],
    ]);
  });
});
