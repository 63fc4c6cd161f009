import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import tar from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { newStatistics } from '../../../../builder/base/progress/statistics.ts';
import {
  type BundleEntry,
  blobEntry,
  fileEntry,
} from '../../../../builder/bundle/archive/entry.ts';
import { releaseOf } from '../../../../builder/bundle/archive/release-facts.ts';
import { type BundleDeps, writeBundle } from '../../../../builder/bundle/archive/write-bundle.ts';
import { signRelease } from '../../../../builder/bundle/sign/sign-release.ts';
import { statementOf } from '../../../../builder/bundle/sign/statement.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
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

async function write(entries: readonly BundleEntry[], deps: BundleDeps = noBlobs): Promise<string> {
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
      { numRuns: fuzzRuns(25) },
    );
  });

  it('writes every file at the offset in the manifest, counted from the end of the head', async () => {
    const entries = [fileEntry('a', Buffer.from('first')), fileEntry('b/c', Buffer.from('second'))];
    const path = await write(entries);
    const bytes = await readFile(path);
    const { release, headSize } = await verifyBundle(createReadStream(path), { keys });
    const contents = release.files.map(({ offset, size }) =>
      bytes.toString('utf8', headSize + offset, headSize + offset + size),
    );
    expect(contents).toEqual(['first', 'second']);
  });

  it('writes a bundle that tar unpacks and sha256sum accepts', async () => {
    const path = await write([fileEntry('x/program', Buffer.from('#!/bin/sh\n'), true)]);
    execFileSync('tar', ['-xf', path, '-C', folder]);
    const output = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(output).toBe('release.json: OK\nx/program: OK\n');
  });

  it('writes a reproducible bundle except for the signatures', async () => {
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

  it('removes the bundle when a blob cannot be fetched', async () => {
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

/** Reads an archive with another implementation of the format. */
async function membersOf(path: string): Promise<Map<string, Buffer>> {
  const members = new Map<string, Buffer>();
  const extract = tar.extract();
  extract.end(await readFile(path));
  for await (const entry of extract) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    members.set(entry.header.name, Buffer.concat(chunks));
  }
  return members;
}

// Sizes around that of the buffer, and of several buffers.
const buffer = 1024 * 1024;

const sizes = [0, 1, 511, 512, buffer - 1024, buffer - 512, buffer, buffer + 1, 3 * buffer + 77];

it.each(['bytes', 'file'] as const)('keeps members of every size, added as %s', async (kind) => {
  const path = join(folder, 'archive.tar');
  const statistics = newStatistics();
  let counted = 0;
  const contents = sizes.map((size) => randomBytes(size));
  const sources = new Map(contents.map((bytes, index) => [digestOf(bytes), `blob-${index}`]));
  const ready = async (digest: Digest) => join(folder, sources.get(digest) ?? '');
  const entries = contents.map((bytes, index) =>
    kind === 'bytes'
      ? fileEntry(`m${index}`, bytes)
      : blobEntry(`m${index}`, { digest: digestOf(bytes), size: bytes.length }),
  );
  for (const bytes of contents) await writeFile(await ready(digestOf(bytes)), bytes);
  const onBytes = (bytes: number) => (counted += bytes);
  const contentsOfBundle = { head: new Map(), entries, mtime: 0 };
  await writeBundle(path, contentsOfBundle, { ready, statistics, onBytes });

  const members = await membersOf(path);
  expect([...members.keys()]).toEqual(sizes.map((_, index) => `m${index}`));
  const same = contents.map((content, index) => members.get(`m${index}`)?.equals(content));
  expect(same).toEqual(sizes.map(() => true));
  const { size } = await stat(path);
  expect({ counted, written: statistics.written }).toEqual({ counted: size, written: size });
});

it.each([500, buffer - 1, buffer + 513, 2 * buffer])(
  'writes the same bytes in parts of %i',
  async (maxPartSize) => {
    // At most a few dozen files.
    const entries = [fileEntry('m', randomBytes(Math.min(3 * buffer, 40 * maxPartSize) + 77))];
    const contents = { head: new Map(), entries, mtime: 0 };
    const whole = join(folder, 'whole.tar');
    await writeBundle(whole, contents, noBlobs);
    const inParts = { ...contents, maxPartSize };
    const { paths, partSize } = await writeBundle(join(folder, 'parts.tar'), inParts, noBlobs);
    const parts = await Promise.all(paths.map((path) => readFile(path)));
    expect(Buffer.concat(parts).equals(await readFile(whole))).toBe(true);
    expect(parts.slice(0, -1).every(({ length }) => length === partSize)).toBe(true);
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  },
);
