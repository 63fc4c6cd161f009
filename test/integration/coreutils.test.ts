import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { armUndo, restoreScript } from '../../appliance/server/host/undo/undo.ts';
import { renderCaptureUndo } from '../../appliance/stages/route/capture/switch.ts';
import { undoAnswers } from '../appliance/answers.ts';
import { TemporaryHost } from '../appliance/temporary-host.ts';
import { workFolder } from '../simulator/work-folder.ts';
import { needs } from './needs.ts';

/** What the scripts call, besides the commands that are built into sh. */
const utilities = ['base64', 'chmod', 'date', 'mkdir', 'mv', 'rm', 'rmdir', 'sync', 'wc'];
const settings = 'etc/ssh/sshd_config';
const original = `PermitRootLogin no\n# ${'é\\ $x '.repeat(2000)}\n`;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-29T01:00:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Returns a PATH with the utilities of one program, which acts by its name, and a systemctl that does
 * nothing. sh stays the one of the system.
 */
async function pathWith(program: string): Promise<string> {
  const folder = join(await workFolder(), 'bin');
  await mkdir(folder, { recursive: true });
  for (const name of utilities) await symlink(program, join(folder, name));
  await writeFile(join(folder, 'systemctl'), '#!/bin/sh\n', { mode: 0o755 });
  return folder;
}

/** A server with a changed file, and the script that undoes the change. */
async function changedServer(more = '') {
  const host = TemporaryHost.with({ [settings]: original }, undoAnswers);
  await chmod(host.path(settings), 0o640);
  const script = `${await restoreScript(host, settings)}${await restoreScript(host, 'etc/new')}${more}`;
  const subject = { en: 'the change of SSH', zh: 'SSH 的更改' };
  await armUndo(host, { name: 'ssh', script, seconds: 600, subject });
  await writeFile(host.path(settings), 'PermitRootLogin yes\n');
  await chmod(host.path(settings), 0o644);
  await writeFile(host.path('etc/new'), '');
  return { host, script: host.path('var/lib/landfall/undo/ssh.sh') };
}

const given = needs('uutils', 'busybox');

given.describe('the script that undoes a change of SSH', () => {
  it.each(['uutils', 'busybox'] as const)(
    'restores text, mode and notice with %s',
    async (name) => {
      const { host, script } = await changedServer();
      const env = { PATH: await pathWith(given[name]) };
      execFileSync('/bin/sh', [script], { env, stdio: 'pipe' });
      expect(await readFile(host.path(settings), 'utf8')).toBe(original);
      expect((await stat(host.path(settings))).mode & 0o777).toBe(0o640);
      expect(existsSync(host.path('etc/new'))).toBe(false);
      expect(await readFile(host.path('var/lib/landfall/undone/ssh'), 'utf8')).toMatch(
        /^the change of SSH was not confirmed; it was undone at \d{4}-\d\d-\d\d \d\d:\d\d \S+\n$/,
      );
      expect(existsSync(script)).toBe(false);
    },
  );

  it.each(['uutils', 'busybox'] as const)(
    'stays for the next boot on a full disk with %s',
    async (name) => {
      const { host, script } = await changedServer();
      const env = { PATH: await pathWith(given[name]) };
      // Limits the file size, so that writes fail as on a full disk, even for root.
      const full = `trap '' XFSZ; ulimit -f 1; . ${script}`;
      expect(() => execFileSync('/bin/sh', ['-c', full], { env, stdio: 'pipe' })).toThrow();
      expect(await readFile(host.path(settings), 'utf8')).toBe('PermitRootLogin yes\n');
      expect(existsSync(script)).toBe(true);
    },
  );

  it.each(['uutils', 'busybox'] as const)('undoes a capture with %s', async (name) => {
    const clean = TemporaryHost.with({}, undoAnswers);
    const undo = await renderCaptureUndo(clean, false);
    const folders = [...undo.matchAll(/^rmdir .*$/gm)].join().match(/\S+\.d\b/g) ?? [];
    const [first = '', ...others] = folders;
    for (const folder of folders) await mkdir(folder, { recursive: true });
    for (const folder of others) await writeFile(join(folder, 'theirs.conf'), '');
    const { host, script } = await changedServer(undo);
    const env = { PATH: await pathWith(given[name]) };
    execFileSync('/bin/sh', [script], { env, stdio: 'pipe' });
    expect(existsSync(first)).toBe(false);
    for (const folder of others) expect(existsSync(folder)).toBe(true);
    expect(await readFile(host.path(settings), 'utf8')).toBe(original);
  });
});
