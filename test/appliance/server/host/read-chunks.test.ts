import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readChunks } from '../../../../appliance/server/host/read-chunks.ts';

const folder = mkdtempSync(join(tmpdir(), 'landfall-pieces-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(size: number): { path: string; content: Buffer } {
  const path = join(folder, `${size}`);
  const content = Buffer.from(Uint8Array.from({ length: size }, (_, index) => index % 251));
  writeFileSync(path, content);
  return { path, content };
}

describe('readChunks', () => {
  it.each([0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_000_000])(
    'returns a file of %i bytes',
    async (size) => {
      const { path, content } = fileOf(size);
      const copies: Buffer[] = [];
      for await (const piece of readChunks(path)) copies.push(Buffer.from(piece));
      expect(Buffer.concat(copies).equals(content)).toBe(true);
    },
  );

  it('reuses one buffer', async () => {
    const memory = new Set<ArrayBufferLike>();
    for await (const piece of readChunks(fileOf(3_000_000).path)) memory.add(piece.buffer);
    expect(memory.size).toBe(1);
  });

  it('rejects a symbolic link', async () => {
    const link = join(folder, 'link');
    symlinkSync(fileOf(1).path, link);
    await expect(readChunks(link).next()).rejects.toThrow('is not a regular file');
  });
});
