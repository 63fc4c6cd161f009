import { describe, expect, it } from 'vitest';
import { makeBundle } from '../../../../simulator/bundle.ts';
import { fuzzFactor } from '../../../../simulator/fuzz.ts';
import { judge } from '../../../../simulator/verdict.ts';

const bundle = makeBundle();
const everywhere = Array.from(bundle, (_, at) => at);

/** Returns the offsets at which a changed bundle was accepted. Expected to be empty. */
async function acceptedAt(
  offsets: readonly number[],
  change: (at: number) => Buffer,
): Promise<number[]> {
  const accepted: number[] = [];
  for (const at of offsets) {
    if ((await judge(change(at))).accepted) accepted.push(at);
  }
  return accepted;
}

const withByte = (at: number, edit: (byte: number) => number) => {
  const changed = Buffer.from(bundle);
  changed[at] = edit(bundle.readUInt8(at));
  return changed;
};

describe('a bundle of two small files', () => {
  it('accepts a bundle of two small files without changes', async () => {
    expect((await judge(bundle)).accepted).toBe(true);
  });

  it('rejects a bundle with one bit flipped in any byte', async () => {
    const flipped = (at: number) => withByte(at, (byte) => byte ^ (1 << (at % 8)));
    expect(await acceptedAt(everywhere, flipped)).toEqual([]);
  }, 300_000);

  it('rejects a bundle that is truncated at any length', async () => {
    const cut = (at: number) => bundle.subarray(0, at);
    expect(await acceptedAt(everywhere, cut)).toEqual([]);
  }, 300_000);

  // With more time, every byte has its turn.
  const step = Math.max(1, Math.floor(13 / fuzzFactor));
  const sampled = everywhere.filter((at) => at % step === 0);

  it.each([
    ['every bit flipped', (at: number) => withByte(at, (byte) => byte ^ 0xff)],
    ['the byte replaced by zero, or by one', (at: number) => withByte(at, (byte) => +(byte === 0))],
    ['the byte counted up', (at: number) => withByte(at, (byte) => (byte + 1) % 256)],
    ['the byte left out', (at: number) => splice(at, 1)],
    ['a zero byte put in', (at: number) => splice(at, 0, Buffer.of(0))],
    ['a block put in', (at: number) => splice(at, 0, Buffer.alloc(512))],
    ['a block left out', (at: number) => splice(at - (at % 512), 512)],
  ])(
    'rejects a bundle with %s at sampled offsets',
    async (_, change) => {
      expect(await acceptedAt(sampled, change)).toEqual([]);
    },
    300_000,
  );
});

/** A zero put in among zeros gives the same bytes shifted, which must not fit either. */
function splice(at: number, remove: number, insert = Buffer.alloc(0)): Buffer {
  return Buffer.concat([bundle.subarray(0, at), insert, bundle.subarray(at + remove)]);
}
