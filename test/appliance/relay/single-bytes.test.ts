import { afterEach, describe, expect, it, vi } from 'vitest';
import { LineMeter } from '../../../appliance/relay/budget/line-meter.ts';
import { JsonMeter } from '../../../appliance/relay/budget/meter.ts';
import { readBody } from '../../../appliance/relay/budget/request.ts';
import { BodyPool, peekModel } from '../../../appliance/relay/models/peek.ts';
import { readStart } from '../../../appliance/relay/read-start.ts';
import { HideInLines, HideInText } from '../../../appliance/relay/redact/answer-filter.ts';
import type { Filter } from '../../../appliance/relay/redact/redaction.ts';

afterEach(() => vi.restoreAllMocks());

const size = 64_000;
const chunks = () =>
  Array.from(Buffer.from(`{"text":"${'x'.repeat(size)}"}`), (byte) => Uint8Array.of(byte));

/** Counts the bytes that are copied and searched. */
function countWork(): () => number {
  let bytes = 0;
  const { set, indexOf, lastIndexOf } = Uint8Array.prototype;
  vi.spyOn(Uint8Array.prototype, 'set').mockImplementation(function (
    this: Uint8Array,
    source: ArrayLike<number>,
    at?: number,
  ) {
    bytes += source.length;
    set.call(this, source, at);
  });
  for (const [name, search] of [
    ['indexOf', indexOf],
    ['lastIndexOf', lastIndexOf],
  ] as const)
    vi.spyOn(Uint8Array.prototype, name).mockImplementation(function (this: Uint8Array, byte) {
      bytes += this.length;
      return search.call(this, byte);
    });
  return () => bytes;
}

const filters: ReadonlyArray<readonly [string, () => Filter]> = [
  ['the filter of lines', () => new HideInLines('sk-key')],
  ['the filter of a text', () => new HideInText('sk-key')],
  ['the meter of lines', () => new LineMeter(false)],
  ['the meter of a value', () => new JsonMeter()],
];

describe('a body that arrives byte by byte', () => {
  it.each(filters)('passes %s with work for each byte', (_, create) => {
    const filter = create();
    const work = countWork();
    const passed = chunks().map((chunk) => filter.push(chunk).length);
    const length = passed.reduce((sum, each) => sum + each, filter.end().length);
    expect(length).toBe(chunks().length);
    expect(work()).toBeLessThan(5 * size);
  });

  it('costs work for each byte, read for its tokens or for its model', async () => {
    const work = countWork();
    expect(await readBody(ReadableStream.from(chunks()), 2 * size, () => true)).toHaveLength(
      chunks().length,
    );
    const peeked = await peekModel(ReadableStream.from(chunks()), new BodyPool(), 'me');
    expect(Buffer.from(await readStart(peeked?.body ?? null, Infinity))).toHaveProperty(
      'byteLength',
      chunks().length,
    );
    expect(work()).toBeLessThan(10 * size);
  });
});
