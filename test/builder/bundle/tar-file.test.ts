import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tar from 'tar-stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
  const file = await open(path, 'w');
  const statistics = newStatistics();
  let counted = 0;
  const archive = new TarFile(file, { statistics, onBytes: (bytes) => (counted += bytes) });
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
  await file.close();

  const members = await membersOf(path);
  expect([...members.keys()]).toEqual(sizes.map((_, index) => `m${index}`));
  const same = contents.map((content, index) => members.get(`m${index}`)?.equals(content));
  expect(same).toEqual(sizes.map(() => true));
  expect((await stat(path)).size).toBe(size);
  expect({ counted, written: statistics.written }).toEqual({ counted: size, written: size });
});
