import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  expectPackages,
  removeUnsettledPackages,
  settlePackages,
} from '../../../appliance/host/unsettled-packages.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

const markFile = 'var/lib/landfall/packages-unsettled';
const boot = { 'proc/sys/kernel/random/boot_id': 'now\n' };
const markOf = (start: string, packages: readonly string[]) => ({
  [markFile]: JSON.stringify({ boot: start, packages }),
});

const read = (host: TemporaryHost) => JSON.parse(readFileSync(host.path(markFile), 'utf8'));

async function removed(files: Record<string, string>, answers: Answers = {}) {
  const host = TemporaryHost.with({ ...boot, ...files }, { sync: '', ...answers });
  const said: string[] = [];
  const error = await removeUnsettledPackages(host, (line) => said.push(line)).catch(
    (reason: unknown) => reason,
  );
  return { host, said, error, marked: existsSync(host.path(markFile)) };
}

describe('packages that are coming', () => {
  it('are written down with the start of the machine that they come in', async () => {
    const host = TemporaryHost.with(boot);
    await expectPackages(host, ['ufw', 'libip6tc2:amd64']);
    expect(read(host)).toEqual({ boot: 'now', packages: ['ufw', 'libip6tc2:amd64'] });
  });

  it('are kept where an attempt follows one that failed: what it brought is not settled', async () => {
    const host = TemporaryHost.with({ ...boot, ...markOf('now', ['runc', 'ufw']) });
    await expectPackages(host, ['ufw', 'docker.io']);
    expect(read(host).packages).toEqual(['runc', 'ufw', 'docker.io']);
  });

  it('are settled once they are on the disk, and not before', async () => {
    const files = { ...boot, ...markOf('now', ['ufw']) };
    const broken = TemporaryHost.with(files, { sync: 1 });
    await expect(settlePackages(broken)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(read(broken).packages).toEqual(['ufw']);
    const host = TemporaryHost.with(files, { sync: '' });
    await settlePackages(host);
    expect(host.ran).toEqual(['sync --file-system / /usr /var /home']);
    expect(existsSync(host.path(markFile))).toBe(false);
  });
});

describe('packages that were coming when the machine stopped', () => {
  // UFW's rules were empty files after a power cut, and no first boot could end any more.
  it('are taken away with all that their scripts made', async () => {
    const { host, said, marked } = await removed(markOf('before', ['ufw', 'iptables']), {
      'dpkg --purge': '',
    });
    expect(host.ran[0]).toBe('dpkg --purge --force-remove-reinstreq ufw iptables');
    expect(said).toEqual([expect.stringContaining('a power cut')]);
    expect(marked).toBe(false);
  });

  it('are left to be mended where others need them by now', async () => {
    const { error, marked } = await removed(markOf('before', ['ufw']), { dpkg: 1 });
    expect({ error, marked }).toEqual({ error: undefined, marked: false });
  });

  it('are waited for while somebody else uses dpkg', async () => {
    const { error, marked } = await removed(markOf('before', ['ufw']), { dpkg: 2 });
    expect(error).toMatchObject({ code: 'COMMAND_FAILED' });
    expect(marked).toBe(true);
  });

  it.each([
    ['since the same start: the kernel lost nothing', markOf('now', ['ufw'])],
    ['unknown: no mark', {}],
    ['unknown: half a mark', { [markFile]: '{"boot":"before","pack' }],
    ['unknown: a mark that would be an option', markOf('before', ['--root=/'])],
  ])('are not touched where they are %s', async (_what, files) => {
    const { host, error } = await removed(files);
    expect(error).toBeUndefined();
    expect(host.ran).toEqual([]);
  });

  it('may be none, and then only the mark goes', async () => {
    const { host, marked } = await removed(markOf('before', []));
    expect(host.ran.join()).not.toContain('dpkg');
    expect(marked).toBe(false);
  });
});
