import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeText } from '../../../../../appliance/server/host/files.ts';
import {
  expectPackages,
  removePendingPackages,
  syncPackages,
} from '../../../../../appliance/server/host/packages/pending-sync.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const markFile = 'var/lib/landfall/packages-unsettled';
const comingFile = 'var/lib/landfall/packages-coming';
const boot = { 'proc/sys/kernel/random/boot_id': 'now\n' };

/** Files after a boot with an interrupted installation. */
const markOf = (start: string, coming: readonly string[], known: readonly string[] = []) => ({
  [markFile]: JSON.stringify({ boot: start, known }),
  [comingFile]: coming.map((name) => `/var/cache/apt/archives/${name}_1%3a2-3_all.deb\n`).join(''),
});

const read = (host: TemporaryHost) => JSON.parse(readFileSync(host.path(markFile), 'utf8'));

/** Files after the next boot. */
const restart = (host: TemporaryHost) =>
  writeText(host, 'proc/sys/kernel/random/boot_id', 'later\n');

/** Runs the hook from apt's options, as apt does before it starts dpkg. */
function startDpkg(options: readonly string[], archives: readonly string[]): void {
  const [, hook = ''] = /^DPkg::Pre-Install-Pkgs::=(.*)$/s.exec(options.at(-1) ?? '') ?? [];
  execFileSync('/bin/sh', ['-c', hook], { input: archives.map((it) => `${it}\n`).join('') });
}

async function removed(files: Record<string, string>, answers: Answers = {}) {
  const host = TemporaryHost.with({ ...boot, ...files }, { sync: '', ...answers });
  const said: string[] = [];
  const error = await removePendingPackages(host, (line) => said.push(line)).catch(
    (reason: unknown) => reason,
  );
  return { host, said, error, marked: existsSync(host.path(markFile)) };
}

describe('pending packages', () => {
  it('counts packages as pending if dpkg did not know them before', async () => {
    const stdout = 'sudo installed\niptables config-files\nnano not-installed\n';
    const host = TemporaryHost.with(boot, { sync: '', 'dpkg --purge': '', 'dpkg-query': stdout });
    const options = await expectPackages(host);
    expect(read(host)).toEqual({ boot: 'now', known: ['sudo', 'iptables'] });
    // The administrator removed iptables without its configuration files.
    startDpkg(options, ['/a/ufw_1_all.deb', '/a/iptables_2_amd64.deb', '/a/nano_3_all.deb']);
    await restart(host);
    await removePendingPackages(host, () => {});
    expect(host.ran).toContain('dpkg --purge --force-remove-reinstreq ufw nano');
  });

  it('keeps pending packages after a failed attempt in the same boot', async () => {
    const host = TemporaryHost.with(
      { ...boot, ...markOf('now', ['runc']) },
      { sync: '', 'dpkg --purge': '' },
    );
    startDpkg(await expectPackages(host), ['/a/docker.io_1_amd64.deb']);
    expect(host.ran.join()).not.toContain('dpkg-query');
    await restart(host);
    await removePendingPackages(host, () => {});
    expect(host.ran).toContain('dpkg --purge --force-remove-reinstreq runc docker.io');
  });

  it('unmarks pending packages only after the sync', async () => {
    const files = { ...boot, ...markOf('now', ['ufw']) };
    const broken = TemporaryHost.with(files, { sync: 1 });
    await expect(syncPackages(broken)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(existsSync(broken.path(comingFile))).toBe(true);
    const host = TemporaryHost.with(files, { sync: '' });
    await syncPackages(host);
    expect(host.ran).toEqual(['sync --file-system / /usr /var /home']);
    expect(existsSync(host.path(markFile))).toBe(false);
    expect(existsSync(host.path(comingFile))).toBe(false);
  });

  it('cause no sync if there are none', async () => {
    const host = TemporaryHost.with(boot);
    await syncPackages(host);
    expect(host.ran).toEqual([]);
  });
});

describe('packages of an interrupted installation', () => {
  // UFW's rules were empty files after a power cut, and every first boot failed.
  it('purges the packages of an interrupted installation', async () => {
    const { host, said, marked } = await removed(markOf('before', ['ufw', 'iptables']), {
      'dpkg --purge': '',
    });
    expect(host.ran[0]).toBe('dpkg --purge --force-remove-reinstreq ufw iptables');
    expect(said).toEqual([expect.stringContaining('a power cut')]);
    expect(marked).toBe(false);
  });

  it('leaves interrupted packages to the repair if other packages depend on them', async () => {
    const { error, marked } = await removed(markOf('before', ['ufw']), { dpkg: 1 });
    expect({ error, marked }).toEqual({ error: undefined, marked: false });
  });

  it('cause an error while another process uses dpkg', async () => {
    const { error, marked } = await removed(markOf('before', ['ufw']), { dpkg: 2 });
    expect(error).toMatchObject({ code: 'COMMAND_FAILED' });
    expect(marked).toBe(true);
  });

  it.each([
    ['of the current boot', markOf('now', ['ufw'])],
    ['not marked', {}],
    ['marked in a truncated file', { [markFile]: '{"boot":"before","pack' }],
  ])('keeps packages of an interrupted installation if they are %s', async (_what, files) => {
    const { host, error } = await removed(files);
    expect(error).toBeUndefined();
    expect(host.ran).toEqual([]);
  });

  it.each([
    ['apt had not unpacked any', markOf('before', [])],
    ['they were upgrades', markOf('before', ['ufw'], ['ufw'])],
    ['their names look like options', markOf('before', ['--root=/'])],
    [
      'the line is truncated',
      { ...markOf('before', []), [comingFile]: '/var/cache/apt/archives/uf' },
    ],
  ])(
    'keeps packages of an interrupted installation if %s, and removes the mark',
    async (_what, files) => {
      const { host, marked } = await removed(files);
      expect(host.ran.join()).not.toContain('dpkg');
      expect(marked).toBe(false);
    },
  );
});
