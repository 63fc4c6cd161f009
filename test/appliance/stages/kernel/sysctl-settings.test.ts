import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsFor, sysctlText } from '../../../../appliance/stages/kernel/sysctls.ts';

const keys = (container: boolean, interfaces: string[] = []) =>
  settingsFor({ interfaces, container }).map(({ key }) => key);

describe('the kernel settings', () => {
  it('do not change what Docker and routed networks need', () => {
    const all = settingsFor({ interfaces: ['ens3'], container: false });
    for (const { key, value } of all) {
      expect(key).not.toMatch(/forward|rp_filter|autoconf|bridge-nf/);
      if (key.endsWith('accept_ra')) expect(value).toBe('2');
    }
  });

  it('keep router advertisements for interfaces that use them, although Docker enables forwarding', () => {
    expect(settingsFor({ interfaces: ['ens3', 'eth0.100'], container: false })).toEqual(
      expect.arrayContaining([
        { key: 'net/ipv6/conf/ens3/accept_ra', value: '2' },
        { key: 'net/ipv6/conf/eth0.100/accept_ra', value: '2' },
      ]),
    );
  });

  it('contain only network settings in a container', () => {
    expect(keys(true)).toContain('net/ipv4/tcp_syncookies');
    expect(keys(true).every((key) => /^net\/ipv[46]\//.test(key))).toBe(true);
    expect(keys(false)).toEqual(expect.arrayContaining(keys(true)));
    expect(keys(false)).toContain('kernel/kptr_restrict');
  });

  it('gives the kernel settings unique names', () => {
    const all = keys(false, ['ens3']);
    expect(all).toEqual([...new Set(all)]);
  });
});

describe('the sysctl file', () => {
  it('writes a sysctl file that sysctl parses as intended, including dots in interface names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'landfall-sysctl-'));
    try {
      const file = join(folder, 'test.conf');
      const settings = [
        { key: 'net/ipv6/conf/eth0.100/accept_ra', value: '2' },
        { key: 'vm/swappiness', value: '10' },
      ];
      writeFileSync(file, sysctlText(settings));
      const said = execFileSync('sysctl', ['--dry-run', '--ignore', '--load', file], {
        encoding: 'utf8',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(said).toContain('vm.swappiness = 10');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
