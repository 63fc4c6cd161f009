import { chmod, mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { placeFiles } from '../../../../builder/deliver/install/install.ts';
import type { ServerFile } from '../../../../builder/deliver/user-data/server-file.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { localShell } from '../ssh/local-shell.ts';

let folder: string;
let programs: string;

beforeEach(async () => {
  folder = await mkdtemp(join(await workFolder(), 'placed-'));
  programs = join(folder, 'programs');
  await mkdir(programs);
  await program('systemctl', `echo "$@" >>${folder}/systemctl`);
  await program('rm', ':');
  await program('sync', ':');
});

async function program(name: string, line: string): Promise<void> {
  await writeFile(join(programs, name), `#!/bin/sh\n${line}\n`);
  await chmod(join(programs, name), 0o755);
}

const at = (path: string) => join(folder, 'etc', path);
const files = (): ServerFile[] => [
  { path: at('landfall/boot.json'), content: '{"it\'s": "$(id)"}\n', secret: true },
  { path: at('landfall/keys/release-1.pem'), content: 'key\nEND\n', secret: false },
];

describe('the files of the bootstrap', () => {
  it('writes the files of the bootstrap as given, and secret ones only for root', async () => {
    await placeFiles(localShell(programs), files());
    for (const { path, content, secret } of files()) {
      expect(await readFile(path, 'utf8')).toBe(content);
      expect((await stat(path)).mode & 0o777).toBe(secret ? 0o600 : 0o644);
    }
    expect((await stat(at('landfall'))).mode & 0o777).toBe(0o755);
  });

  it('completes the files of the bootstrap before the unit starts', async () => {
    await placeFiles(localShell(programs), files());
    expect((await readFile(join(folder, 'systemctl'), 'utf8')).split('\n')).toEqual([
      'daemon-reload',
      'enable --quiet landfall-boot.service',
      'reset-failed landfall-boot.service',
      'restart --no-block landfall-boot.service',
      '',
    ]);
  });

  it('do not start the unit if one of them cannot be written', async () => {
    await program('base64', `printf '\\033[2Jdisk\\007 full\\n' >&2; exit 1`);
    await expect(placeFiles(localShell(programs), files())).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      // Without the control characters that a hostile server prints.
      problems: expect.arrayContaining([{ message: 'disk full' }]),
    });
    await expect(stat(join(folder, 'systemctl'))).rejects.toThrow('ENOENT');
  });
});
