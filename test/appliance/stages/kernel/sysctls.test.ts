import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sysctlFile, sysctls } from '../../../../appliance/stages/kernel/sysctls.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

/** A kernel with few settings, without IPv6 and Yama. */
const small = {
  'proc/sys/kernel/kptr_restrict': '0\n',
  'proc/sys/vm/swappiness': '10\n',
  'proc/sys/net/ipv4/tcp_syncookies': '1\n',
};

const loads = { '/lib/systemd/systemd-sysctl': '' };

describe('kernel settings', () => {
  it('writes kernel settings that this kernel has, and loads them from our file only', async () => {
    const host = TemporaryHost.with(small, loads);
    const context = contextFor(host);
    expect(await sysctls.check(context)).toEqual([
      `set 3 kernel settings in /${sysctlFile}, 1 of them changed`,
    ]);
    await sysctls.apply(context);
    const text = readFileSync(host.path(sysctlFile), 'utf8');
    expect(text.match(/^[a-z].*$/gm)).toEqual([
      'kernel/kptr_restrict = 2',
      'vm/swappiness = 10',
      'net/ipv4/tcp_syncookies = 1',
    ]);
    expect(host.ran).toEqual([`/lib/systemd/systemd-sysctl ${host.path(sysctlFile)}`]);
  });

  it('verifies kernel settings with the values of the kernel', async () => {
    const host = TemporaryHost.with(small, loads);
    const context = contextFor(host);
    await sysctls.apply(context);
    expect(await sysctls.prove(context)).toEqual([
      {
        message: 'kernel/kptr_restrict is 0, not 2',
        hint: expect.stringContaining('systemd-analyze cat-config sysctl.d'),
      },
    ]);
    writeFileSync(host.path('proc/sys/kernel/kptr_restrict'), '2\n');
    expect(await sysctls.prove(context)).toEqual([]);
    expect(await sysctls.check(context)).toEqual([]);
  });

  it("do not change the kernel of a container's host", async () => {
    const host = TemporaryHost.with(small, loads);
    const context = contextFor(host, { server: { container: 'docker' } });
    await sysctls.apply(context);
    expect(readFileSync(host.path(sysctlFile), 'utf8')).not.toMatch(/^(?:kernel|vm|fs|dev)/m);
    expect(await sysctls.prove(context)).toEqual([]);
  });
});

describe('an interface', () => {
  const acceptRa = (name: string, value: string) => ({
    [`proc/sys/net/ipv6/conf/${name}/accept_ra`]: `${value}\n`,
  });

  it('keeps router advertisements if it uses them, also in later runs', async () => {
    const files = {
      ...acceptRa('all', '1'),
      ...acceptRa('default', '1'),
      ...acceptRa('lo', '1'),
      ...acceptRa('docker0', '1'),
      ...acceptRa('br-0123', '1'),
      ...acceptRa('veth1', '1'),
      ...acceptRa('ens3', '1'),
      ...acceptRa('ens4', '0'),
      ...acceptRa('ens5', '2'),
    };
    const host = TemporaryHost.with(files, loads);
    await sysctls.apply(contextFor(host));
    expect(readFileSync(host.path(sysctlFile), 'utf8').match(/^.*accept_ra.*$/gm)).toEqual([
      'net/ipv6/conf/ens3/accept_ra = 2',
      'net/ipv6/conf/ens5/accept_ra = 2',
    ]);
  });
});
