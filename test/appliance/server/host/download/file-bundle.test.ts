import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileBundle } from '../../../../../appliance/server/host/download/file-bundle.ts';

const content = randomBytes(3_000_000);
let folder: string;
let opened: FileBundle[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-file-bundle-'));
  opened = [];
});
afterEach(async () => {
  for (const bundle of opened) await bundle.close();
  rmSync(folder, { recursive: true });
});

const put = (name: string, bytes: Uint8Array) => writeFileSync(join(folder, name), bytes);

/** Writes the content in parts of a size. */
function putParts(size: number): void {
  for (let index = 0; index * size < content.length; index += 1) {
    const name = `x.tar.${String(index).padStart(3, '0')}`;
    put(name, content.subarray(index * size, (index + 1) * size));
  }
}

function open(name: string): FileBundle {
  const bundle = new FileBundle(join(folder, name));
  opened.push(bundle);
  return bundle;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const chunk of chunks) copies.push(Buffer.from(chunk));
  return Buffer.concat(copies);
}

describe('a bundle in files', () => {
  it.each(['x.tar', 'x.tar.000', 'x.tar.001'])(
    'reads ranges across parts, named as %s',
    async (name) => {
      putParts(700_001);
      const bundle = open(name);
      expect(await collect(bundle.read(0, 10))).toEqual(content.subarray(0, 10));
      expect(await collect(bundle.read(690_000, 1_500_000))).toEqual(
        content.subarray(690_000, 2_190_000),
      );
      expect(await collect(bundle.read(2_999_999, 1))).toEqual(content.subarray(2_999_999));
    },
  );

  it('reads one file, also after it was closed', async () => {
    put('x.tar', content);
    const bundle = open('x.tar');
    expect(await collect(bundle.read(5, 2_000_000))).toEqual(content.subarray(5, 2_000_005));
    await bundle.close();
    expect(await collect(bundle.head())).toEqual(content);
  });

  it('yields chunks of the head that do not change', async () => {
    put('x.tar', content);
    const chunks: Uint8Array[] = [];
    for await (const chunk of open('x.tar').head()) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(content);
  });

  it('rejects a truncated bundle when its end is read', async () => {
    put('x.tar', content.subarray(0, 1000));
    await expect(collect(open('x.tar').read(990, 20))).rejects.toMatchObject({
      code: 'BUNDLE_TRUNCATED',
    });
  });

  it('rejects a missing file, and a folder', async () => {
    mkdirSync(join(folder, 'x.tar'));
    for (const name of ['x.tar', 'y.tar', 'none/y.tar']) {
      await expect(collect(open(name).head())).rejects.toMatchObject({ code: 'FILE_MISSING' });
    }
  });
});
