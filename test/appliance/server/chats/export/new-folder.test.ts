import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  createFolder,
  type NewFolder,
} from '../../../../../appliance/server/chats/export/new-folder.ts';

let above: string;
let path: string;
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'landfall-export-'));
  path = join(above, 'out');
});
afterEach(() => rmSync(above, { recursive: true }));

async function* chunks(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

async function fill(folder: NewFolder): Promise<number> {
  await folder.makeFolder('eve/chats');
  await folder.write('eve/chats/a.md', 'hello');
  await folder.save('eve/b.bin', chunks('two ', 'chunks'));
  return folder.size;
}

const modeOf = (name: string) => statSync(join(path, name)).mode & 0o777;

describe('a new folder', () => {
  it('appears complete, and only its user can read it', async () => {
    const synced: string[] = [];
    const sync = async (part: string) => synced.push(part, ...readdirSync(part));
    expect(await createFolder(path, fill, { sync })).toBe(15);
    expect(readFileSync(join(path, 'eve/chats/a.md'), 'utf8')).toBe('hello');
    expect(readFileSync(join(path, 'eve/b.bin'), 'utf8')).toBe('two chunks');
    expect(['.', 'eve', 'eve/chats'].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
    expect(['eve/chats/a.md', 'eve/b.bin'].map(modeOf)).toEqual([0o600, 0o600]);
    expect(synced).toEqual([`${path}.part`, 'eve']);
    expect(readdirSync(above)).toEqual(['out']);
  });

  it('replaces an empty folder', async () => {
    mkdirSync(path, { mode: 0o755 });
    await createFolder(`${path}/`, fill);
    expect(readdirSync(path)).toEqual(['eve']);
    expect(modeOf('.')).toBe(0o700);
  });

  it.each([
    ['a file', () => writeFileSync(path, ''), 'is not a folder'],
    ['a link to an empty folder', () => symlinkSync(above, path), 'is not a folder'],
    ['a folder with a file', () => mkdirSync(join(path, 'x'), { recursive: true }), 'is not empty'],
    ['an export that runs', () => mkdirSync(`${path}.part`), 'another export runs or was killed'],
  ])('does not replace %s', async (_kind, prepare, reason) => {
    prepare();
    const before = readdirSync(above);
    await expect(createFolder(path, fill)).rejects.toMatchObject({
      code: 'FILE_EXISTS',
      message: expect.stringContaining(reason),
    });
    expect(readdirSync(above)).toEqual(before);
  });

  it('does not replace a mounted disk', async () => {
    await expect(createFolder('/proc/sys/fs/binfmt_misc/..', fill)).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    });
  });

  it('needs an existing folder above it, and a short name', async () => {
    const code = (to: string) => createFolder(to, fill).catch((error: LandfallError) => error.code);
    expect(await code(join(path, 'below'))).toBe('FILE_MISSING');
    expect(await code(join(above, 'x'.repeat(252)))).toBe('USAGE');
    expect(readdirSync(above)).toEqual([]);
  });

  it('leaves nothing after an error', async () => {
    const failed = createFolder(path, async (folder) => {
      await fill(folder);
      throw new LandfallError('STACK_UNHEALTHY', 'gone');
    });
    await expect(failed).rejects.toMatchObject({ code: 'STACK_UNHEALTHY' });
    expect(readdirSync(above)).toEqual([]);
  });

  it('removes a file whose stream fails, and continues', async () => {
    await createFolder(path, async (folder) => {
      const broken = async function* () {
        yield Buffer.from('start');
        throw new Error('interrupted');
      };
      await expect(folder.save('a.txt', broken())).rejects.toThrow('interrupted');
      await folder.write('b.txt', 'whole');
      expect(folder.size).toBe(5);
    });
    expect(readdirSync(path)).toEqual(['b.txt']);
  });

  it('keeps space free on the disk', async () => {
    const full = createFolder(path, fill, { reserve: Number.MAX_SAFE_INTEGER });
    await expect(full).rejects.toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(/^only .+ are free for the export$/),
    });
    expect(readdirSync(above)).toEqual([]);
  });

  it('turns a full disk into DISK_FULL', async () => {
    const full = createFolder(path, () =>
      Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
    );
    await expect(full).rejects.toMatchObject({ code: 'DISK_FULL' });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('leaves nothing after %s', async (signal) => {
    const module = new URL(
      '../../../../../appliance/server/chats/export/new-folder.ts',
      import.meta.url,
    );
    const script = `
      const { createFolder } = await import(${JSON.stringify(module.href)});
      await createFolder(process.argv[1], async (folder) => {
        for (let i = 0; ; i += 1) {
          await folder.write(String(i), 'text');
          if (i === 20) console.log('running');
        }
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script, path]);
    await once(child.stdout, 'data');
    expect(existsSync(`${path}.part`)).toBe(true);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(readdirSync(above)).toEqual([]);
  });
});
