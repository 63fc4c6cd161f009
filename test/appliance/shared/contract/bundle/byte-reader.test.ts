import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { chunksOf } from '../../../../simulator/arbitrary.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

const bytes = Buffer.from('0123456789');

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const part of stream) text += Buffer.from(part).toString('latin1');
  return text;
}

describe('a byte reader', () => {
  it('reads exact lengths across chunk boundaries', async () => {
    const partition = chunksOf(bytes).chain((parts) =>
      fc.record({ parts: fc.constant(parts), cut: fc.nat(bytes.length) }),
    );
    await fc.assert(
      fc.asyncProperty(partition, async ({ parts, cut }) => {
        const reader = new ByteReader(chunks(...parts));
        expect(Buffer.from(await reader.take(cut))).toEqual(bytes.subarray(0, cut));
        expect(reader.position).toBe(cut);
        expect(await collect(reader.stream(bytes.length - cut))).toBe(
          bytes.toString('latin1', cut),
        );
        expect(await reader.atEnd()).toBe(true);
      }),
      { numRuns: fuzzRuns(200) },
    );
  });

  it('reads nothing before it is requested', async () => {
    const reader = new ByteReader(chunks());
    expect(await reader.take(0)).toHaveLength(0);
    expect(await collect(reader.stream(0))).toBe('');
  });

  it('reports how much is missing and where', async () => {
    const reader = new ByteReader(chunks(bytes));
    await reader.take(4);
    await expect(reader.take(10)).rejects.toMatchObject({
      code: 'BUNDLE_TRUNCATED',
      rule: 'not-truncated',
      message: 'the bundle is truncated: 4 bytes are missing after byte 10',
    });
  });

  it('leaves the rest of a partially read stream to the next reader', async () => {
    const reader = new ByteReader(chunks(bytes.subarray(0, 3), bytes.subarray(3)));
    for await (const part of reader.stream(8)) {
      expect(decodeUtf8(part)).toBe('012');
      break;
    }
    expect(decodeUtf8(await reader.take(7))).toBe('3456789');
  });

  it('returns copies, which a source cannot change', async () => {
    const chunk = Buffer.from(bytes);
    const reader = new ByteReader(chunks(chunk));
    const taken = await reader.take(10);
    chunk.fill('x');
    expect(Buffer.from(taken)).toEqual(bytes);
  });

  it('respects views of larger buffers', async () => {
    const memory = new Uint8Array(Buffer.from('..0123456789..'));
    const reader = new ByteReader(chunks(memory.subarray(2, 12)));
    expect(decodeUtf8(await reader.take(10))).toBe('0123456789');
    expect(await reader.atEnd()).toBe(true);
  });

  it('does not treat empty chunks as the end', async () => {
    const empty = Buffer.alloc(0);
    expect(await new ByteReader(chunks(empty, empty, Buffer.from('x'))).atEnd()).toBe(false);
    expect(await new ByteReader(chunks(empty, empty)).atEnd()).toBe(true);
  });

  it('reads a large length from one-byte chunks without buffering them', async () => {
    const size = 300_000;
    async function* single(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < size; at += 1) yield Buffer.of(at % 251);
    }
    const taken = await new ByteReader(single()).take(size);
    expect(Buffer.from(taken)).toEqual(
      Buffer.from(Array.from({ length: size }, (_, at) => at % 251)),
    );
  });

  it('keeps the error of a failed source, and does not treat it as the end', async () => {
    const broken = new Error('EIO');
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytes;
      throw broken;
    }
    const reader = new ByteReader(failing());
    await expect(reader.take(11)).rejects.toBe(broken);
    await expect(reader.take(1)).rejects.toBe(broken);
    await expect(reader.atEnd()).rejects.toBe(broken);
  });
});
