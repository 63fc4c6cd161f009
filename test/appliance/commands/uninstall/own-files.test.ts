import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownFiles, removeOwnUnits } from '../../../../appliance/commands/uninstall/own-files.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const units = 'etc/systemd/system';
const files = {
  [`${units}/landfall-update.timer`]: '',
  [`${units}/landfall-client@.service`]: '',
  [`${units}/landfall-client@.service.d/capture.conf`]: '',
  [`${units}/other.service`]: '',
  [`${units}/docker.service.d/10-landfall-proxy.conf`]: '',
  'etc/apt/apt.conf.d/52landfall-upgrades': '',
  'etc/apt/apt.conf.d/99landfall-proxy': '',
  'etc/apt/sources.list.d/landfall-docker.sources': '',
  'etc/fail2ban/jail.d/landfall.conf': '',
  'etc/fail2ban/jail.d/defaults-debian.conf': '',
  'etc/ssh/sshd_config.d/00-landfall.conf': '',
  'etc/sudoers.d/90-landfall': '',
  'etc/sysctl.d/90-landfall.conf': '',
  'etc/landfall/secrets/x': '',
};

describe('the files of an uninstallation', () => {
  it('lists those that only Landfall needs, the command last', async () => {
    const found = await ownFiles(TemporaryHost.with(files), false);
    expect(found).toEqual(
      expect.arrayContaining([
        'etc/apt/apt.conf.d/99landfall-proxy',
        'etc/fail2ban/jail.d/landfall.conf',
        `${units}/docker.service.d/10-landfall-proxy.conf`,
        'opt/landfall',
      ]),
    );
    expect(found.at(-1)).toBe('usr/local/bin/landfall');
    expect(found.filter((path) => /^etc\/(?:landfall|ssh|sudoers|sysctl)/.test(path))).toEqual([]);
    expect(found.filter((path) => /upgrades|docker\.sources|defaults/.test(path))).toEqual([]);
  });

  it('lists the data only if that is wanted', async () => {
    const host = TemporaryHost.with(files);
    const data = ['etc/landfall', 'var/lib/landfall'];
    expect(await ownFiles(host, true)).toEqual(expect.arrayContaining(data));
    for (const path of data) expect(await ownFiles(host, false)).not.toContain(path);
  });
});

describe('removeOwnUnits', () => {
  it('stops and removes the units of Landfall, and no others', async () => {
    const host = TemporaryHost.with(files, {
      'systemctl disable': '',
      'systemctl daemon-reload': '',
    });
    await removeOwnUnits(host);
    expect(host.ran).toEqual([
      'systemctl disable --quiet --now landfall-update.timer',
      'systemctl daemon-reload',
    ]);
    for (const name of [
      'landfall-update.timer',
      'landfall-client@.service',
      'landfall-client@.service.d',
    ])
      expect(existsSync(host.path(units, name))).toBe(false);
    expect(existsSync(host.path(units, 'other.service'))).toBe(true);
  });
});
