import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../../appliance/server/host/run/command.ts';
import { restoreScript } from '../../../../../appliance/server/host/undo/undo.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

describe('restoreScript', () => {
  it('restores text and permissions', async () => {
    const host = TemporaryHost.with({ 'etc/a.conf': "it's $HOME\n\\ `id`\n" });
    const script = await restoreScript(host, 'etc/a.conf', 0o600);
    await writeFile(host.path('etc/a.conf'), 'other');
    await chmod(host.path('etc/a.conf'), 0o644);
    await runCommand('/bin/sh', ['-c', script]);
    expect(await readFile(host.path('etc/a.conf'), 'utf8')).toBe("it's $HOME\n\\ `id`\n");
    expect((await stat(host.path('etc/a.conf'))).mode & 0o777).toBe(0o600);
    expect(await readdir(host.path('etc'))).toEqual(['a.conf']);
  });

  it('keeps the current permissions by default', async () => {
    const host = TemporaryHost.with({ 'etc/a.conf': 'old' });
    await chmod(host.path('etc/a.conf'), 0o640);
    const script = await restoreScript(host, 'etc/a.conf');
    await chmod(host.path('etc/a.conf'), 0o666);
    await runCommand('/bin/sh', ['-c', script]);
    expect((await stat(host.path('etc/a.conf'))).mode & 0o777).toBe(0o640);
  });

  it('deletes a file that did not exist', async () => {
    const host = TemporaryHost.with({ 'etc/keep': '' });
    const script = await restoreScript(host, 'etc/a.conf');
    await writeFile(host.path('etc/a.conf'), 'new');
    await runCommand('/bin/sh', ['-c', script]);
    expect(existsSync(host.path('etc/a.conf'))).toBe(false);
  });

  it('restores a file with the same result when the script runs twice', async () => {
    const host = TemporaryHost.with({ 'etc/a.conf': 'old' });
    const script = await restoreScript(host, 'etc/a.conf');
    await writeFile(host.path('etc/a.conf'), 'new');
    await runCommand('/bin/sh', ['-c', script]);
    await runCommand('/bin/sh', ['-c', script]);
    expect(await readFile(host.path('etc/a.conf'), 'utf8')).toBe('old');
  });

  // A full disk truncated sshd_config or the firewall settings, and the script had deleted itself.
  it('keeps the file and sets failed on a full disk', async () => {
    const old = 'old '.repeat(4000);
    const host = TemporaryHost.with({ 'etc/a.conf': old });
    const script = await restoreScript(host, 'etc/a.conf');
    await writeFile(host.path('etc/a.conf'), 'new');
    // Limits the file size to one block, so that writes fail as on a full disk, even for root.
    const full = `trap '' XFSZ; ulimit -f 1; failed=; ${script} echo "failed: $failed"`;
    const { stdout } = await runCommand('/bin/sh', ['-c', full]);
    expect(stdout).toBe('failed: yes');
    expect(await readFile(host.path('etc/a.conf'), 'utf8')).toBe('new');
    expect(await readdir(host.path('etc'))).toEqual(['a.conf']);
  });

  it('restores any text', async () => {
    const host = TemporaryHost.with({});
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        await writeFile(host.path('file'), text);
        const script = await restoreScript(host, 'file');
        const before = await readFile(host.path('file'));
        await writeFile(host.path('file'), '');
        await runCommand('/bin/sh', ['-c', script]);
        expect(await readFile(host.path('file'))).toEqual(before);
      }),
      { numRuns: fuzzRuns(30) },
    );
  });
});
