import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRegular } from '#files/open-regular.ts';

const folder = mkdtempSync(join(tmpdir(), 'landfall-regular-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'file');
writeFileSync(file, 'text');

function linkTo(target: string, name: string): string {
  const path = join(folder, name);
  symlinkSync(target, path);
  return path;
}

describe('readRegular', () => {
  it('returns the content of a file, also through a link', async () => {
    expect((await readRegular(file, 4))?.toString()).toBe('text');
    expect((await readRegular(linkTo(file, 'link'), 4))?.toString()).toBe('text');
  });

  it('returns the content of a file in /proc, whose size is 0', async () => {
    expect((await readRegular('/proc/self/status', 1 << 20))?.toString()).toContain('Name:');
  });

  it('returns undefined for a pipe without waiting for a writer', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await readRegular(pipe, 100)).toBeUndefined();
    expect(await readRegular(linkTo(pipe, 'link-to-pipe'), 100)).toBeUndefined();
  });

  it.each(['/dev/zero', '/dev/full', '/proc/self/fd', folder])(
    'returns undefined for %s and a link to it',
    async (path) => {
      expect(await readRegular(path, 100)).toBeUndefined();
      const link = linkTo(path, `link${path.replaceAll('/', '-')}`);
      expect(await readRegular(link, 100)).toBeUndefined();
    },
  );

  it('returns undefined for a missing file, a loop of links, and a path below a file', async () => {
    const loop = linkTo(join(folder, 'loop'), 'loop');
    for (const path of [join(folder, 'missing'), loop, join(file, 'below')]) {
      expect(await readRegular(path, 100)).toBeUndefined();
    }
  });

  it('returns undefined for a file above the limit, also in /proc', async () => {
    const sparse = join(folder, 'sparse');
    writeFileSync(sparse, '');
    truncateSync(sparse, 1e12);
    expect(await readRegular(sparse, 1 << 20)).toBeUndefined();
    expect(await readRegular(file, 3)).toBeUndefined();
    expect(await readRegular('/proc/self/status', 10)).toBeUndefined();
  });

  it('follows no link at the path with follow: false', async () => {
    expect(await readRegular(linkTo(file, 'other-link'), 100, { follow: false })).toBeUndefined();
    expect((await readRegular(file, 100, { follow: false }))?.toString()).toBe('text');
  });

  it('returns only files within a folder, however they are reached', async () => {
    const inside = join(folder, 'inside');
    mkdirSync(join(inside, 'real'), { recursive: true });
    writeFileSync(join(inside, 'real', 'file'), 'inside');
    symlinkSync('real', join(inside, 'link'));
    symlinkSync('..', join(inside, 'out'));
    const options = { within: inside };
    const read = (path: string) => readRegular(join(inside, path), 100, options);
    expect((await read('link/file'))?.toString()).toBe('inside');
    expect(await read('out/file')).toBeUndefined();
    expect(await read('../file')).toBeUndefined();
  });
});
