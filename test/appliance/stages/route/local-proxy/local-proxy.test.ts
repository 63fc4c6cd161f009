import { existsSync, readFileSync, statSync } from 'node:fs';
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
const installed: Answers = { 'dpkg-query': 'tinyproxy-bin installed\n', systemctl: '' };
const route = { mode: 'socks5', url: 'socks5h://me:p%3Ass@192.0.2.2' };

function server(answers: Answers = installed) {
  const host = TemporaryHost.with({}, answers);
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
    expect(statSync(host.path(localProxyFile)).mode & 0o777).toBe(0o600);
  });

  it('runs without privileges, and no argument contains the login', async () => {
    const { host, context } = server();
    await localProxyMeasure.apply(context);
    expect(read(host, localProxyUnitFile)).toMatch(/DynamicUser=yes\nCapabilityBoundingSet=\n/);
    expect(read(host, localProxyUnitFile) + host.ran.join()).not.toContain('p:ss');
    expect(host.ran).toContain(`systemctl restart ${localProxyUnit}`);
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
