import { chown, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const command = fileURLToPath(new URL('../../../builder/bin/landfall.mjs', import.meta.url));

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'landfall-compiled-'));
});
afterEach(async () => await rm(home, { recursive: true }));

async function version(env: NodeJS.ProcessEnv) {
  const { exitCode, stderr, timedOut } = await execa(process.execPath, [command, '--version'], {
    env: { PATH: process.env.PATH, ...env },
    extendEnv: false,
    reject: false,
    timeout: 30_000,
  });
  return { exitCode, stderr, timedOut };
}

const works = { exitCode: 0, stderr: '', timedOut: false };

describe('compiled code', () => {
  it('keeps compiled code in the cache folder of the user, which only the user can enter', async () => {
    expect(await version({ HOME: home })).toEqual(works);
    const folder = join(home, '.cache/landfall/compiled');
    expect(await readdir(folder)).toHaveLength(1);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(home, '.cache/landfall'))).mode & 0o777).toBe(0o700);
  });

  it('keeps compiled code below XDG_CACHE_HOME if that is an absolute path', async () => {
    const caches = join(home, 'caches');
    expect(await version({ HOME: home, XDG_CACHE_HOME: caches })).toEqual(works);
    expect(await readdir(join(caches, 'landfall/compiled'))).toHaveLength(1);
    expect(await version({ HOME: home, XDG_CACHE_HOME: 'caches' })).toEqual(works);
    expect(await readdir(join(home, '.cache/landfall/compiled'))).toHaveLength(1);
  });

  // There, Node's own recursive mkdir never returns.
  it('keeps no compiled code in a file system without new folders, such as /proc', async () => {
    expect(await version({ HOME: '/proc/self' })).toEqual(works);
  });

  it.runIf(process.getuid?.() === 0)(
    'keeps no compiled code in a folder of another user',
    async () => {
      const folder = join(home, '.cache/landfall/compiled');
      await mkdir(folder, { recursive: true });
      await chown(folder, 1234, 1234);
      expect(await version({ HOME: home })).toEqual(works);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('keeps no compiled code when the folder cannot be reached', async () => {
    expect(await version({ HOME: '/dev/null' })).toEqual(works);
    await symlink('.cache', join(home, '.cache'));
    expect(await version({ HOME: home })).toEqual(works);
  });
});
