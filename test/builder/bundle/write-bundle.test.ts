import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { blobEntry, type Entry, fileEntry } from '../../../builder/bundle/entry.ts';
import { releaseOf } from '../../../builder/bundle/release-of.ts';
import { type BundleDeps, writeBundle } from '../../../builder/bundle/write-bundle.ts';
import { newStatistics } from '../../../builder/progress/statistics.ts';
import { signRelease } from '../../../builder/sign/sign-release.ts';
import { statementOf } from '../../../builder/sign/statement.ts';
import { factsFor, testKey } from './fixture.ts';

const signer = testKey();
const keys = { release: [signer.public], recovery: undefined };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-bundle-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const noBlobs: BundleDeps = {
  ready: async (digest) => {
    throw new Error(`unexpected request for ${digest}`);
  },
  statistics: newStatistics(),
};

async function write(entries: readonly Entry[], deps: BundleDeps = noBlobs): Promise<string> {
  const release = releaseOf(factsFor(signer), entries);
  const statement = statementOf(release, { builderVersion: '0', lockSha256: '0'.repeat(64) });
  const head = signRelease(release, statement, signer);
  const path = join(folder, 'bundle.tar');
  await writeBundle(path, { head, entries, mtime: Date.parse(release.created) / 1000 }, deps);
  return path;
}

describe('a bundle that was written', () => {
  it('verifies with arbitrary files', async () => {
    const files = fc.uniqueArray(
      fc.record({
        path: fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8}){0,3}$/),
        bytes: fc.uint8Array({ maxLength: 3000 }),
        executable: fc.boolean(),
      }),
      // Each file has a separate folder: the tests of the contract cover conflicting paths.
      { selector: ({ path }) => path.split('/')[0], minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(files, async (list) => {
        const entries = list.map((f) => fileEntry(f.path, Buffer.from(f.bytes), f.executable));
        const verified = await verifyBundle(createReadStream(await write(entries)), { keys });
        expect(verified.release.files.map(({ path }) => path)).toEqual(list.map((f) => f.path));
      }),
      { numRuns: 25 },
    );
  });

  it('has every file at the offset that the manifest gives, counted from the end of the head', async () => {
    const entries = [fileEntry('a', Buffer.from('first')), fileEntry('b/c', Buffer.from('second'))];
    const path = await write(entries);
    const bytes = await readFile(path);
    const { release, headSize } = await verifyBundle(createReadStream(path), { keys });
    const contents = release.files.map(({ offset, size }) =>
      bytes.toString('utf8', headSize + offset, headSize + offset + size),
    );
    expect(contents).toEqual(['first', 'second']);
  });

  it('is unpacked by tar and accepted by sha256sum', async () => {
    const path = await write([fileEntry('x/program', Buffer.from('#!/bin/sh\n'), true)]);
    execFileSync('tar', ['-xf', path, '-C', folder]);
    const output = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(output).toBe('release.json: OK\nx/program: OK\n');
  });

  it('is reproducible except for the signatures', async () => {
    const entries = [fileEntry('a', Buffer.alloc(2000, 7))];
    const first = await readFile(await write(entries));
    const second = await readFile(await write(entries));
    // Signatures may differ in length by a byte or two, the padded members do not.
    expect(second.length).toBe(first.length);
    const tail = 512 + 2048 + 1024;
    expect(second.subarray(-tail).equals(first.subarray(-tail))).toBe(true);
  });

  it('contains blobs in order, regardless of their arrival', async () => {
    const blobs = [Buffer.alloc(1_500_000, 1), Buffer.alloc(10, 2)];
    const descriptors = blobs.map((bytes) => ({ digest: digestOf(bytes), size: bytes.length }));
    const path = await write(
      descriptors.map((blob, index) => blobEntry(`blobs/${index}`, blob)),
      {
        statistics: newStatistics(),
        // No blob exists before the bundle waits for it.
        ready: async (digest) => {
          const path = join(folder, digest);
          await writeFile(path, blobs.find((bytes) => digestOf(bytes) === digest) ?? '');
          return path;
        },
      },
    );
    const verified = await verifyBundle(createReadStream(path), { keys });
    expect(verified.release.files.map(({ size }) => size)).toEqual([1_500_000, 10]);
  });
});

describe('a bundle that could not be written', () => {
  const missing = blobEntry('blobs/none', { digest: digestOf('none'), size: 4 });

  it('is removed when a blob cannot be fetched', async () => {
    await expect(write([fileEntry('a', Buffer.from('a')), missing])).rejects.toThrow(
      'unexpected request',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not change the previous bundle', async () => {
    const path = await write([fileEntry('a', Buffer.from('a'))]);
    const before = await readFile(path);
    await expect(write([missing])).rejects.toThrow('unexpected request');
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('fails when a file of the store is shorter than planned', async () => {
    const bytes = Buffer.alloc(100, 1);
    await writeFile(join(folder, 'short'), bytes.subarray(0, 50));
    const entry = blobEntry('blobs/short', { digest: digestOf(bytes), size: 100 });
    const deps = { statistics: newStatistics(), ready: async () => join(folder, 'short') };
    await expect(write([entry], deps)).rejects.toThrow('was truncated while it was read');
  });

  it('names the folder when it does not exist', async () => {
    const head = new Map<string, Buffer>();
    await expect(
      writeBundle(join(folder, 'no', 'bundle.tar'), { head, entries: [], mtime: 0 }, noBlobs),
    ).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });

  it('reports a full disk', async () => {
    const entries = [fileEntry('a', Buffer.alloc(4096))];
    const head = new Map<string, Buffer>();
    // Every write to /dev/full fails with ENOSPC; the temporary name is a link to it.
    execFileSync('ln', ['-s', '/dev/full', join(folder, 'bundle.tar.partial')]);
    await expect(
      writeBundle(join(folder, 'bundle.tar'), { head, entries, mtime: 0 }, noBlobs),
    ).rejects.toMatchObject({ code: 'DISK_FULL', hint: expect.stringContaining('df -h') });
  });
});
