import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { HashedFile } from '../../../../appliance/shared/files/hashed-file.ts';
import { newStatistics, type Statistics } from '../../../../builder/base/progress/statistics.ts';
import { contentOf } from '../../../builder/inputs/blobs/rig.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';

let folder: string;
let path: string;
let statistics: Statistics;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-file-'));
  path = join(folder, 'file');
  statistics = newStatistics();
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const opened = () => HashedFile.open(path, statistics);

describe('a file that is hashed while it is written', () => {
  it('writes the content of all chunks of any size, and returns their digest', async () => {
    const sizes = fc.array(fc.oneof(fc.nat(3_000), fc.nat(900_000)), { maxLength: 8 });
    const property = fc.asyncProperty(sizes, async (lengths) => {
      await rm(path, { force: true });
      const chunks = lengths.map(contentOf);
      const file = await opened();
      for (const chunk of chunks) await file.write(chunk);
      const whole = Buffer.concat(chunks);
      expect(file.length).toBe(whole.length);
      expect(await file.finish()).toBe(digestOf(whole));
      await file.close();
      expect(await readFile(path)).toEqual(whole);
    });
    await fc.assert(property, { numRuns: fuzzRuns(25) });
  });

  it('hashes several files at the same time, each separately', async () => {
    const contents = Array.from({ length: 12 }, () => contentOf(1_200_000));
    const digests = contents.map(async (content, index) => {
      const file = await HashedFile.open(`${path}${index}`, statistics);
      for (let at = 0; at < content.length; at += 100_001) {
        await file.write(content.subarray(at, at + 100_001));
      }
      const digest = await file.finish();
      await file.close();
      return digest;
    });
    expect(await Promise.all(digests)).toEqual(contents.map(digestOf));
  });

  it('copies its input, so that the chunk can be reused', async () => {
    const file = await opened();
    const chunk = Buffer.from('first');
    await file.write(chunk);
    chunk.fill('x');
    await file.write(Buffer.from('second'));
    expect(await file.finish()).toBe(digestOf('firstsecond'));
    await file.close();
  });

  it('counts every byte once', async () => {
    const file = await opened();
    await file.write(contentOf(700_000));
    await file.finish();
    await file.close();
    expect(statistics).toMatchObject({ hashed: 700_000, written: 700_000 });
  });

  it('keeps the written bytes of a file that is closed early', async () => {
    const file = await opened();
    const content = contentOf(600_000);
    await file.write(content);
    await file.close();
    expect(await readFile(path)).toEqual(content);
  });
});

describe('a file that is resumed', () => {
  it('hashes a resumed file once from its start, and then appends to it', async () => {
    const content = contentOf(1_700_000);
    await writeFile(path, content.subarray(0, 900_000));
    const file = await opened();
    await file.rehash();
    expect(file.length).toBe(900_000);
    await file.write(content.subarray(900_000));
    expect(await file.finish()).toBe(digestOf(content));
    await file.close();
    expect(await readFile(path)).toEqual(content);
    expect(statistics).toMatchObject({ hashed: 1_700_000, written: 800_000 });
  });

  it('can be restarted at any point', async () => {
    const content = contentOf(600_000);
    await writeFile(path, 'something that is longer than nothing');
    const file = await opened();
    await file.rehash();
    await file.restart();
    expect((await stat(path)).size).toBe(0);
    await file.write(contentOf(600_000));
    expect(await file.finish()).not.toBe(digestOf(content));
    await file.restart();
    await file.write(content);
    expect(await file.finish()).toBe(digestOf(content));
    await file.close();
    expect(await readFile(path)).toEqual(content);
  });

  it('stops hashing when it is cancelled', async () => {
    await writeFile(path, contentOf(600_000));
    const file = await opened();
    const reason = new Error('enough');
    await expect(file.rehash(AbortSignal.abort(reason))).rejects.toBe(reason);
    await file.close();
    expect((await stat(path)).size).toBe(600_000);
  });
});

describe('a disk that is full', () => {
  it.runIf(process.platform === 'linux')(
    'reports a full disk in finish at the latest, and closes the file without an error',
    async () => {
      const file = await HashedFile.open('/dev/full', statistics);
      const pour = async () => {
        for (let round = 0; round < 4; round += 1) await file.write(contentOf(600_000));
        await file.finish();
      };
      await expect(pour()).rejects.toMatchObject({ code: 'ENOSPC' });
      await file.close();
    },
  );

  it.runIf(process.platform === 'linux')(
    'writes nothing after a failed write, so that no gap appears',
    async () => {
      const file = await HashedFile.open('/dev/full', statistics);
      await expect(file.write(contentOf(600_000))).rejects.toMatchObject({ code: 'ENOSPC' });
      await expect(file.finish()).rejects.toMatchObject({ code: 'ENOSPC' });
      await file.close();
    },
  );

  it.runIf(process.platform === 'linux')(
    'reports a full disk for the last bytes as well',
    async () => {
      const file = await HashedFile.open('/dev/full', statistics);
      await file.write(Buffer.from('x'));
      await expect(file.finish()).rejects.toMatchObject({ code: 'ENOSPC' });
      await file.close();
    },
  );
});

describe('a link in place of the file', () => {
  it('refuses to follow a link in place of the file', async () => {
    await symlink(join(folder, 'elsewhere'), path);
    await expect(opened()).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(stat(join(folder, 'elsewhere'))).rejects.toThrow('ENOENT');
  });
});
