import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kernelStage } from '../../../../appliance/stages/kernel/stage.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const fresh: Answers = {
  'dpkg-query': 'unattended-upgrades installed\nsystemd-timesyncd installed',
  'systemctl is-active': 3,
  'systemctl is-active --quiet systemd-timesyncd': 0,
  'systemctl is-enabled --quiet apport.service': 1,
  'systemctl is-enabled --quiet apt-daily': 0,
  'systemctl is-enabled --quiet systemd-timesyncd': 0,
  'systemctl is-enabled --quiet swapfile.swap': 1,
  'systemctl daemon-reload': '',
  'systemctl enable': '',
  'systemctl restart swapfile.swap': '',
  'systemctl restart systemd-journald': '',
  'journalctl --flush': '',
  '/lib/systemd/systemd-sysctl': '',
  findmnt: 'ext4',
  timedatectl: 'yes',
};
/** Answers that allow a swap file. */
const swap: Answers = { fallocate: '', mkswap: '', sync: '' };
/** Effective settings, none of which are the wanted ones. */
const without: Answers = { 'apt-config': '', modprobe: '', 'systemd-analyze': '', runuser: '' };
const files = { 'proc/swaps': 'Filename\n', 'proc/sys/kernel/kptr_restrict': '0\n' };

describe('a machine with its own kernel', () => {
  it('lists every change without making it', async () => {
    const host = TemporaryHost.with(files, fresh);
    const plan = await kernelStage.check(contextFor(host));
    expect(plan.join('\n')).toMatch(
      /kernel settings.*swap file.*security upgrades.*journal.*modules/s,
    );
    expect(host.ran.filter((line) => /enable |restart|mkswap|systemd-sysctl/.test(line))).toEqual(
      [],
    );
  });

  it('gets every setting again after an interrupted run, whatever its files contain', async () => {
    const host = TemporaryHost.with({ ...files, 'proc/swaps': `Filename\n/dev/vda2\n` }, fresh);
    await kernelStage.apply(contextFor(host));
    host.ran.length = 0;
    await kernelStage.apply(contextFor(host));
    expect(host.ran).toEqual(
      expect.arrayContaining([
        `/lib/systemd/systemd-sysctl ${host.path('etc/sysctl.d/90-landfall.conf')}`,
        'systemctl restart systemd-journald',
        'systemctl enable --now apt-daily.timer apt-daily-upgrade.timer',
      ]),
    );
    expect(host.ran.filter((line) => /mkswap|apt-get/.test(line))).toEqual([]);
  });

  // apport writes its core pattern to the kernel when it stops.
  it('gets its settings after apport is disabled', async () => {
    const host = TemporaryHost.with(files, {
      ...fresh,
      ...swap,
      'systemctl is-enabled --quiet apport.service': 0,
      'systemctl disable --now apport.service': '',
    });
    await kernelStage.apply(contextFor(host));
    const stopped = host.ran.indexOf('systemctl disable --now apport.service');
    const set = host.ran.findIndex((line) => line.startsWith('/lib/systemd/systemd-sysctl'));
    expect(stopped).toBeGreaterThan(-1);
    expect(set).toBeGreaterThan(stopped);
  });

  it('reports every setting that is not in effect', async () => {
    const context = contextFor(TemporaryHost.with(files, { ...fresh, ...without }));
    const error = await kernelStage.prove(context).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'HOST_SETTINGS',
      problems: expect.arrayContaining([
        expect.objectContaining({ message: 'kernel/kptr_restrict is 0, not 2' }),
        expect.objectContaining({ message: 'swap is not active' }),
        expect.objectContaining({
          message: 'apt setting missing: APT::Periodic::Unattended-Upgrade=1',
        }),
        expect.objectContaining({ message: 'the kernel can load dccp' }),
      ]),
    });
  });
});

describe('a container', () => {
  const context = (host: TemporaryHost) => contextFor(host, { server: { container: 'docker' } });

  it('keeps the kernel settings of its host', async () => {
    const host = TemporaryHost.with(files, fresh);
    await kernelStage.apply(context(host));
    expect(host.ran).toContain('systemctl restart systemd-journald');
    const touched = host.ran.filter((line) => /mkswap|modprobe|timesyncd/.test(line));
    expect(touched).toEqual([]);
    expect(existsSync(host.path('etc/modprobe.d/90-landfall.conf'))).toBe(false);
  });

  it('gets a warning with every skipped setting', async () => {
    const inside = context(TemporaryHost.with(files, { ...fresh, ...without }));
    await expect(kernelStage.prove(inside)).rejects.toMatchObject({ code: 'HOST_SETTINGS' });
    expect(inside.warned).toEqual([
      expect.stringMatching(/^this is a container \(docker\).*: the clock, swap, its modules$/),
    ]);
  });
});
