import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf, hexOf } from '#contract/trust/digest.ts';
import { PartialFile } from '../../../builder/blobs/partial-file.ts';

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

/** The id of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('claiming a blob', () => {
  it('begins with an empty file of this process', async () => {
    const partial = await claim();
    expect(await readFile(partial.path, 'utf8')).toBe('');
    expect(await names()).toEqual([
      expect.stringMatching(`^${hex}\\.[0-9a-f]{12}\\.${process.pid}\\.`),
    ]);
  });

  it('takes up what a failed build has released', async () => {
    const first = await claim();
    await writeFile(first.path, 'half');
    await first.release();
    expect(await names()).toEqual([hex]);
    const second = await claim();
    expect(await readFile(second.path, 'utf8')).toBe('half');
    expect(await names()).toHaveLength(1);
  });

  it('takes up what a killed build has left', async () => {
    await place(`${hex}.${thisHost}.${await deadPid()}.1`, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('half');
    expect(await names()).toHaveLength(1);
  });

  it('takes up what is left under its own process id: in a container, everybody is process 1', async () => {
    await place(`${hex}.${thisHost}.${process.pid}.999999`, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('half');
  });

  it('takes up the largest part and removes the others', async () => {
    const pid = await deadPid();
    await place(hex, 'a');
    await place(`${hex}.${thisHost}.${pid}.1`, 'abc');
    await place(`${hex}.${thisHost}.${pid}.2`, 'ab');
    expect(await readFile((await claim()).path, 'utf8')).toBe('abc');
    expect(await names()).toHaveLength(1);
  });

  it('leaves alone what another living process works on', async () => {
    const name = `${hex}.${thisHost}.${process.ppid}.1`;
    await place(name, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
    expect(await readFile(join(folder, name), 'utf8')).toBe('half');
  });

  it('leaves alone what a process of another owner works on', async () => {
    // Process 1 lives everywhere, and not everybody may signal it.
    const name = `${hex}.${thisHost}.1.1`;
    await place(name, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
    expect(await names()).toContain(name);
  });

  it('leaves alone what this process works on elsewhere', async () => {
    const first = await claim();
    await writeFile(first.path, 'half');
    const second = await claim();
    expect(second.path).not.toBe(first.path);
    expect(await readFile(second.path, 'utf8')).toBe('');
  });

  it('leaves alone what another host works on: its process ids say nothing here', async () => {
    const name = `${hex}.0123456789ab.${await deadPid()}.1`;
    await place(name, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
    expect(await names()).toContain(name);
  });

  it('takes up what nobody has written to for an hour, whoever it belongs to', async () => {
    const anHourAgo = new Date(Date.now() - 61 * 60_000);
    const name = `${hex}.0123456789ab.1.1`;
    await place(name, 'half');
    await utimes(join(folder, name), anHourAgo, anHourAgo);
    expect(await readFile((await claim()).path, 'utf8')).toBe('half');
  });

  it('does not confuse blobs', async () => {
    await place(hexOf(digestOf('another')), 'half');
    await place(`${hex}x`, 'half');
    expect(await readFile((await claim()).path, 'utf8')).toBe('');
  });

  it('many times at once gives a part to one of them only', async () => {
    await place(hex, 'half');
    const all = await Promise.all(Array.from({ length: 20 }, claim));
    const contents = await Promise.all(all.map(({ path }) => readFile(path, 'utf8')));
    expect(contents.filter((content) => content === 'half')).toHaveLength(1);
    expect(contents.filter((content) => content === '')).toHaveLength(19);
    expect(new Set(all.map(({ path }) => path)).size).toBe(20);
  });
});

describe('letting go of a blob', () => {
  it('without a byte leaves nothing', async () => {
    await (await claim()).release();
    expect(await names()).toEqual([]);
  });

  it('removed leaves nothing, twice as well as once', async () => {
    const partial = await claim();
    await writeFile(partial.path, 'half');
    await partial.remove();
    await partial.remove();
    expect(await names()).toEqual([]);
  });

  it('published moves it to its place', async () => {
    const partial = await claim();
    await writeFile(partial.path, 'whole');
    await partial.publish(join(folder, 'done'));
    expect(await names()).toEqual(['done']);
  });

  it('cannot publish what somebody has taken away', async () => {
    const partial = await claim();
    await rm(partial.path);
    await expect(partial.publish(join(folder, 'done'))).rejects.toThrow('ENOENT');
    expect(await names()).toEqual([]);
  });
});
