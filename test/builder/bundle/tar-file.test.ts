import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tar from 'tar-stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OutputFiles } from '../../../builder/bundle/parts/output-files.ts';
import { TarFile } from '../../../builder/bundle/tar-file.ts';
import { newStatistics } from '../../../builder/progress/statistics.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-tar-'));
});
afterEach(() => rm(folder, { recursive: true }));

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
  const output = new OutputFiles(path);
  const statistics = newStatistics();
  let counted = 0;
  const archive = new TarFile(output, { statistics, onBytes: (bytes) => (counted += bytes) });
  const contents = sizes.map((size) => randomBytes(size));
  for (const [index, content] of contents.entries()) {
    const member = { name: `m${index}`, size: content.length, mtime: 0, executable: false };
    if (kind === 'bytes') {
      await archive.bytes(member, content);
    } else {
      const source = join(folder, member.name);
      await writeFile(source, content);
      await archive.file(member, source);
    }
  }
  const size = await archive.end();
  await output.complete();

  const members = await membersOf(path);
  expect([...members.keys()]).toEqual(sizes.map((_, index) => `m${index}`));
  const same = contents.map((content, index) => members.get(`m${index}`)?.equals(content));
  expect(same).toEqual(sizes.map(() => true));
  expect((await stat(path)).size).toBe(size);
  expect({ counted, written: statistics.written }).toEqual({ counted: size, written: size });
});

it.each([500, buffer - 1, buffer + 513, 2 * buffer])(
  'writes the same bytes in parts of %i',
  async (partSize) => {
    // At most a few dozen files.
    const content = randomBytes(Math.min(3 * buffer, 40 * partSize) + 77);
    const member = { name: 'm', size: content.length, mtime: 0, executable: false };
    const write = async (output: OutputFiles) => {
      const archive = new TarFile(output, { statistics: newStatistics() });
      await archive.bytes(member, content.subarray(0, member.size));
      await archive.end();
      return output.complete();
    };
    const [whole = ''] = await write(new OutputFiles(join(folder, 'whole.tar')));
    const parts = await write(new OutputFiles(join(folder, 'parts.tar'), partSize));
    const contents = await Promise.all(parts.map((path) => readFile(path)));
    expect(Buffer.concat(contents).equals(await readFile(whole))).toBe(true);
    expect(contents.slice(0, -1).every(({ length }) => length === partSize)).toBe(true);
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  },
);
