import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, hexOf } from '#contract/trust/digest.ts';
import { PartialFile } from '../../../../builder/inputs/blobs/partial-file.ts';

const digest = digestOf('the blob');
const hex = hexOf(digest);
let folder: string;
let thisHost: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-partial-'));
  const probe = await claim();
  thisHost = probe.path.split('.').at(-3) ?? '';
  await probe.remove();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const claim = () => PartialFile.claim(folder, digest);
const place = (name: string, content: string) => writeFile(join(folder, name), content);
const names = async () => (await readdir(folder)).sort();

/** A process id that has exited. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('claiming a blob', () => {
  it('starts with an empty file of this process', async () => {
    const partial = await claim();
    expect(await readFile(partial.path, 'utf8')).toBe('');
    expect(await names()).toEqual([
      expect.stringMatching(`^${hex}\\.[0-9a-f]{12}\\.${process.pid}\\.`),
    ]);
  });

  it('resumes the file that a failed build released', async () => {
    const first = await claim();
    await writeFile(first.path, 'half');
    await first.release();
    expect(await names()).toEqual([hex]);
    const second = await claim();
    expect(await readFile(second.path, 'utf8')).toBe('half');
    expect(await names()).toHaveLength(1);
  });

  it('resumes the file that a killed build left', async () => {
    await place(`${hex}.${thisHost}.${await deadPid()}.1`, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('half');
    expect(await names()).toHaveLength(1);
  });

  it('resumes a file with its own process id: in a container, every build is process 1', async () => {
    await place(`${hex}.${thisHost}.${process.pid}.999999`, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('half');
  });

  it('resumes the largest file and removes the others', async () => {
    const pid = await deadPid();
    await place(hex, 'a');
    await place(`${hex}.${thisHost}.${pid}.1`, 'abc');
    await place(`${hex}.${thisHost}.${pid}.2`, 'ab');
    expect(await readFile((await claim()).path, 'utf8')).toBe('abc');
    expect(await names()).toHaveLength(1);
  });

  it('ignores the file of another running process', async () => {
    const name = `${hex}.${thisHost}.${process.ppid}.1`;
    await place(name, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
    expect(await readFile(join(folder, name), 'utf8')).toBe('half');
  });

  it('ignores the file of a process of another user', async () => {
    // Process 1 always runs, and only root may signal it.
    const name = `${hex}.${thisHost}.1.1`;
    await place(name, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
    expect(await names()).toContain(name);
  });

  it('ignores other files of this process', async () => {
    const first = await claim();
    await writeFile(first.path, 'half');
    const second = await claim();
    expect(second.path).not.toBe(first.path);
    expect(await readFile(second.path, 'utf8')).toBe('');
  });

  it('ignores the files of another host, whose process ids are not valid here', async () => {
    const name = `${hex}.0123456789ab.${await deadPid()}.1`;
    await place(name, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
    expect(await names()).toContain(name);
  });

  it('resumes any file that was not written for an hour', async () => {
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    const name = `${hex}.0123456789ab.1.1`;
    await place(name, 'half');
    await utimes(join(folder, name), anHourAgo, anHourAgo);
    expect(await readFile((await claim()).path, 'utf8')).toBe('half');
  });

  it('distinguishes blobs', async () => {
    await place(hexOf(digestOf('another')), 'half');
    await place(`${hex}x`, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
  });

  it('gives a file to exactly one of several concurrent callers', async () => {
    await place(hex, 'half');
    const all = await Promise.all(Array.from({ length: 20 }, claim));
    const contents = await Promise.all(all.map(({ path }) => readFile(path, 'utf8')));
    expect(contents.filter((content) => content === 'half')).toHaveLength(1);
    expect(contents.filter((content) => content === '')).toHaveLength(19);
    expect(new Set(all.map(({ path }) => path)).size).toBe(20);
  });
});

describe('releasing a blob', () => {
  it('leaves nothing if it is empty', async () => {
    await (await claim()).release();
    expect(await names()).toEqual([]);
  });

  it('leaves nothing after removal, even twice', async () => {
    const partial = await claim();
    await writeFile(partial.path, 'half');
    await partial.remove();
    await partial.remove();
    expect(await names()).toEqual([]);
  });

  it('moves it to its final path when published', async () => {
    const partial = await claim();
    await writeFile(partial.path, 'whole');
    await partial.publish(join(folder, 'done'));
    expect(await names()).toEqual(['done']);
  });

  it('fails to publish a file that was removed', async () => {
    const partial = await claim();
    await rm(partial.path);
    await expect(partial.publish(join(folder, 'done'))).rejects.toThrow('ENOENT');
    expect(await names()).toEqual([]);
  });
});
