import { existsSync, readFileSync, statSync } from 'node:fs';
import { getgid } from 'node:process';
import { describe, expect, it } from 'vitest';
import { unitFileOf } from '../../../../../appliance/server/host/service.ts';
import {
  localProxyFile,
  localProxyMeasure,
  localProxyUnit,
} from '../../../../../appliance/stages/route/local-proxy/local-proxy.ts';
import { contextFor } from '../../../context.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const localProxyUnitFile = unitFileOf(localProxyUnit);
const group = getgid?.() ?? 0;
const installed: Answers = {
  'dpkg-query': 'tinyproxy-bin installed\n',
  'getent group proxy': `proxy:x:${group}:\n`,
  systemctl: '',
};
const route = { mode: 'socks5', url: 'socks5h://me:p%3Ass@192.0.2.2' };

function server(answers: Answers = {}, files: Readonly<Record<string, string>> = {}) {
  const host = TemporaryHost.with(files, { ...installed, ...answers });
  return { host, context: contextFor(host, { site: { route } }) };
}

const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');

describe('the HTTP proxy of a SOCKS5 route', () => {
  it('listens on loopback only, and sends everything to the SOCKS5 proxy', async () => {
    const { host, context } = server();
    await localProxyMeasure.apply(context);
    const lines = read(host, localProxyFile).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['Port 7890', 'Listen 127.0.0.1', 'Allow 127.0.0.1']),
    );
    expect(lines).toContain('Upstream socks5 me:p:ss@192.0.2.2:1080');
    const { mode, gid } = statSync(host.path(localProxyFile));
    expect([mode & 0o777, gid]).toEqual([0o640, group]);
  });

  it('runs without privileges, and no argument contains the login', async () => {
    const { host, context } = server();
    await localProxyMeasure.apply(context);
    expect(read(host, localProxyUnitFile)).toMatch(/DynamicUser=yes\n.*\nCapabilityBoundingSet=\n/);
    expect(read(host, localProxyUnitFile) + host.ran.join()).not.toContain('p:ss');
    expect(host.ran).toContain(`systemctl restart ${localProxyUnit}`);
  });

  it('reads only what the AppArmor profile of Ubuntu 25.04 and later allows', async () => {
    const { host, context } = server();
    await localProxyMeasure.apply(context);
    // The profile tinyproxy allows this one file below /etc and the two default files to write.
    const unit = read(host, localProxyUnitFile);
    expect(unit).toContain('ExecStart=/usr/bin/tinyproxy -d -c /etc/tinyproxy/tinyproxy.conf\n');
    expect(unit).toContain('SupplementaryGroups=proxy\n');
    expect(unit).not.toContain('CREDENTIALS');
    expect(read(host, localProxyFile)).not.toMatch(
      /^(?:LogFile|PidFile|StatFile|\w*ErrorFile|Filter)/m,
    );
  });

  it('removes the settings of earlier releases, which contain the login too', async () => {
    const former = 'etc/landfall/local-proxy.conf';
    const { host, context } = server({}, { [former]: 'Upstream socks5 me:p:ss@192.0.2.2:1080\n' });
    await localProxyMeasure.apply(context);
    expect(existsSync(host.path(former))).toBe(false);
    expect(await localProxyMeasure.check(context)).toEqual([]);
  });

  it('keeps the settings of another tinyproxy, which it refuses to replace', async () => {
    const theirs = 'User tinyproxy\nPort 8888\n';
    const { host, context } = server({}, { [localProxyFile]: theirs });
    await expect(localProxyMeasure.apply(context)).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      message: 'another tinyproxy uses /etc/tinyproxy/tinyproxy.conf',
    });
    const direct = contextFor(host);
    expect(await localProxyMeasure.check(direct)).toEqual([]);
    await localProxyMeasure.apply(direct);
    expect(read(host, localProxyFile)).toBe(theirs);
  });

  it('names the denial of AppArmor that keeps it from starting', async () => {
    const { context } = server({
      'systemctl is-active': 3,
      journalctl:
        'audit: type=1400 audit(1.2:3): apparmor="DENIED" operation="open" profile="tinyproxy" name="/etc/x" pid=1 comm="tinyproxy" requested_mask="r" denied_mask="r"',
    });
    await expect(localProxyMeasure.prove?.(context)).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      problems: [
        { message: 'the AppArmor profile tinyproxy denied tinyproxy the access r to /etc/x' },
      ],
    });
  });

  it('removes the HTTP proxy of a SOCKS5 route when the site has another route', async () => {
    const { host, context } = server();
    await localProxyMeasure.apply(context);
    const direct = contextFor(host);
    expect(await localProxyMeasure.check(direct)).toEqual(['remove the local HTTP proxy']);
    await localProxyMeasure.apply(direct);
    expect(host.ran).toContain(`systemctl disable --now --quiet ${localProxyUnit}`);
    for (const path of [localProxyFile, localProxyUnitFile]) {
      expect(existsSync(host.path(path))).toBe(false);
    }
    expect(existsSync(host.path('etc/tinyproxy'))).toBe(false);
    expect(await localProxyMeasure.check(direct)).toEqual([]);
  });

  it('announces the package', async () => {
    const { context } = server({ 'dpkg-query': 1, systemctl: 3 });
    expect(await localProxyMeasure.check(context)).toEqual([
      'install tinyproxy-bin',
      'start an HTTP proxy at 127.0.0.1:7890',
    ]);
  });
});
