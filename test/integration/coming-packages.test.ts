import { readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import {
  expectPackages,
  removePendingPackages,
} from '../../appliance/server/host/packages/pending-sync.ts';
import { TemporaryHost } from '../appliance/temporary-host.ts';

const boot = 'proc/sys/kernel/random/boot_id';
const coming = 'var/lib/landfall/packages-coming';

/** A separate configuration of apt, without packages and sources. */
const emptyApt = {
  'apt/var/lib/dpkg/status': '',
  'apt/var/lib/apt/lists/partial/.empty': '',
  'apt/var/cache/apt/archives/partial/.empty': '',
  'apt/var/log/apt/.empty': '',
};

it('records the packages that a real apt unpacks before dpkg starts', async () => {
  const host = TemporaryHost.with(
    { [boot]: 'before\n', ...emptyApt },
    { 'dpkg-query': 'landfall-old installed\n', 'dpkg --purge': '', sync: '' },
  );
  writeFileSync(
    host.path('apt.conf'),
    `Dir "${host.path('apt')}";\nDir::Bin::dpkg "${host.path('dpkg')}";\n`,
  );
  // Replaces dpkg: copies the record instead of unpacking.
  const dpkg = `#!/bin/sh\ncp ${host.path(coming)} ${host.path('seen')}\n`;
  writeFileSync(host.path('dpkg'), dpkg, { mode: 0o755 });
  const noting = await expectPackages(host);
  const archives = await Promise.all(['landfall-new', 'landfall-old'].map((it) => build(host, it)));
  const ran = await execa('apt-get', [...noting, 'install', '--yes', ...archives], {
    all: true,
    reject: false,
    env: { APT_CONFIG: host.path('apt.conf') },
  });
  expect(ran.exitCode, ran.all).toBe(0);
  const seen = readFileSync(host.path('seen'), 'utf8');
  expect(seen.trimEnd().split('\n').sort()).toEqual(archives);

  writeFileSync(host.path(boot), 'later\n');
  await removePendingPackages(host, () => {});
  expect(host.ran).toContain('dpkg --purge --force-remove-reinstreq landfall-new');
});

/** Builds an empty package. Returns the path of its archive. */
async function build(host: TemporaryHost, name: string): Promise<string> {
  const folder = host.path('packages', name);
  const control = [
    `Package: ${name}`,
    'Version: 1:2-3',
    'Architecture: all',
    'Maintainer: Landfall <landfall@example.com>',
    'Description: none',
  ];
  await execa('mkdir', ['-p', `${folder}/DEBIAN`]);
  writeFileSync(`${folder}/DEBIAN/control`, `${control.join('\n')}\n`);
  const archive = host.path('packages', `${name}_1%3a2-3_all.deb`);
  await execa('dpkg-deb', ['--build', '--root-owner-group', folder, archive]);
  return archive;
}
