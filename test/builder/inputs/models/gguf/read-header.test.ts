import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  type ReadAt,
  readGgufHeader,
} from '../../../../../builder/inputs/models/gguf/read-header.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';
import { type GgufValue, writeGguf } from '../../../../stand-ins/engine/gguf/gguf-writer.ts';
import { tinyGguf } from '../../../../stand-ins/engine/gguf/tiny-gguf.ts';

const readAt =
  (bytes: Buffer): ReadAt =>
  async (position, length) =>
    bytes.subarray(position, position + length);
const read = (bytes: Buffer) => readGgufHeader(readAt(bytes), bytes.length);
const refusalOf = async (bytes: Buffer): Promise<LandfallError> => {
  const error = await read(bytes).catch((thrown: unknown) => thrown);
  if (error instanceof LandfallError) return error;
  throw new Error(`not refused: ${error}`);
};

const text = (value: string): GgufValue => ({ type: 'string', value });
const tensors = [{ name: 'a', dimensions: [4, 3], data: new Float32Array(12) }];
const tiny = tinyGguf();

describe('the header of a GGUF file', () => {
  it('reads the model name from a GGUF header, with any fields in between', async () => {
    const { metadata } = await read(tiny);
    expect(metadata.get('general.architecture')).toBe('llama');
    expect(metadata.get('general.file_type')).toBe(0);
  });

  it('reads the number of parameters from a GGUF header', async () => {
    const { parameters } = await read(writeGguf({ 'general.architecture': text('x') }, tensors));
    expect(parameters).toBe(12n);
    expect(Number((await read(tiny)).parameters)).toBeGreaterThan(100_000);
  });

  it('keeps only the wanted keys in memory', async () => {
    const { metadata } = await read(tiny);
    expect([...metadata.keys()].sort()).toEqual([
      ...['general.architecture', 'general.file_type', 'llama.attention.head_count'],
      ...['llama.attention.head_count_kv', 'llama.block_count', 'llama.context_length'],
      'llama.embedding_length',
    ]);
  });

  it('may be longer than one chunk', async () => {
    const words = Array.from({ length: 200_000 }, (_, index) => `word${index}`);
    const file = writeGguf(
      {
        words: { type: 'strings', value: words },
        scores: { type: 'floats', value: words.map(() => 0) },
        'general.architecture': text('qwen3'),
      },
      tensors,
    );
    expect((await read(file)).metadata.get('general.architecture')).toBe('qwen3');
  });

  it('reads a GGUF header without the weights', async () => {
    let largest = 0;
    const bytes = Buffer.concat([tiny, Buffer.alloc(8 * 1024 * 1024)]);
    await readGgufHeader(async (position, length) => {
      largest = Math.max(largest, position + length);
      return bytes.subarray(position, position + length);
    }, bytes.length);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(2 * 1024 * 1024);
  });
});

describe('a file that is not GGUF', () => {
  it.each<[string, Buffer]>([
    ['an empty file', Buffer.alloc(0)],
    ['a web page', Buffer.from(`<!doctype html>${' '.repeat(100)}`)],
    ['a file of an older format', Buffer.concat([Buffer.from('ggjt'), Buffer.alloc(100)])],
    ['zeros', Buffer.alloc(1000)],
  ])('rejects a file that is not GGUF: %s', async (_, bytes) => {
    expect(await refusalOf(bytes)).toMatchObject({
      code: 'MODEL_FORMAT',
      message: 'the file is not a GGUF file',
    });
  });

  it.each([
    ['the first version', Buffer.from([1, 0, 0, 0])],
    ['a future version', Buffer.from([4, 0, 0, 0])],
    ['big-endian numbers', Buffer.from([0, 0, 0, 3])],
  ])('rejects a GGUF file with %s', async (_, version) => {
    const bytes = Buffer.from(tiny);
    version.copy(bytes, 4);
    expect((await refusalOf(bytes)).message).toContain('an unsupported version');
  });
});

describe('a damaged GGUF file', () => {
  const header = writeGguf({ 'general.architecture': text('x') }, []).length;

  it.each([0, 3, 4, 23, 24, 40, header, tiny.length / 2].map(Math.floor))(
    'rejects a GGUF file that is truncated after %d bytes',
    async (length) => {
      expect((await refusalOf(tiny.subarray(0, length))).code).toBe('MODEL_FORMAT');
    },
  );

  it.each<[string, number, bigint]>([
    ['tensors', 8, 2n ** 40n],
    ['values', 16, 2n ** 40n],
    ['characters in its first key', 24, 2n ** 40n],
    ['characters in its first key, as a negative number', 24, 2n ** 64n - 1n],
  ])('rejects a GGUF file that declares a trillion %s', async (_, at, count) => {
    const bytes = Buffer.from(tiny);
    bytes.writeBigUInt64LE(count, at);
    expect((await refusalOf(bytes)).message).toMatch(/^the GGUF file is damaged: /);
  });

  it('rejects a GGUF file with more parameters than bits', async () => {
    const tensor = { name: 'a', dimensions: [2 ** 40, 2 ** 40], data: new Float32Array(1) };
    const bytes = writeGguf({ 'general.architecture': text('x') }, [tensor]);
    expect((await refusalOf(bytes)).message).toContain('it is truncated before its last tensor');
  });

  it('rejects a GGUF file with an invalid alignment', async () => {
    const alignment: GgufValue = { type: 'uint32', value: 0 };
    const bytes = writeGguf({ 'general.alignment': alignment }, tensors);
    expect((await refusalOf(bytes)).message).toContain('the alignment is out of range');
  });

  it('causes no other error when any header byte changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30_000), fc.uint8Array({ minLength: 1, maxLength: 12 }), (at, put) =>
        expectJudged(Buffer.concat([tiny.subarray(0, at), put, tiny.subarray(at + put.length)])),
      ),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('causes no other error for any bytes after the magic', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), (rest) =>
        expectJudged(Buffer.concat([Buffer.from('GGUF'), Buffer.from([3, 0, 0, 0]), rest])),
      ),
      { numRuns: fuzzRuns(1000) },
    );
  });
});

async function expectJudged(bytes: Buffer): Promise<void> {
  const outcome = await read(bytes).catch((error: unknown) => error);
  if (!('metadata' in (outcome as object))) expect(outcome).toBeInstanceOf(LandfallError);
}
