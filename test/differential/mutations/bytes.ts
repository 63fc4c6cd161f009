import type { Mutations } from '../draft.ts';
import type { Random } from '../random.ts';

const block = 512;

const at = (bundle: Buffer, turn: number) => turn % Math.max(1, bundle.length);
const blockAt = (bundle: Buffer, turn: number) => at(bundle, turn) - (at(bundle, turn) % block);

/** Offsets of the tar headers, found by their magic. */
function headersOf(bundle: Buffer): number[] {
  const starts = Array.from({ length: Math.floor(bundle.length / block) }, (_, n) => n * block);
  return starts.filter((start) => bundle.toString('latin1', start + 257, start + 262) === 'ustar');
}

function flipped(bundle: Buffer, place: number, bit: number): Buffer {
  const changed = Buffer.from(bundle);
  changed[place] = (changed[place] ?? 0) ^ (1 << bit);
  return changed;
}

function spliced(
  bundle: Buffer,
  start: number,
  drop: number,
  insert: Buffer = Buffer.alloc(0),
): Buffer {
  return Buffer.concat([bundle.subarray(0, start), insert, bundle.subarray(start + drop)]);
}

const somewhere = (random: Random) => random.below(2 ** 30);

/** Corruption of a finished bundle: transmission, disk or attack. */
export const byteMutations: Mutations = {
  'a flipped bit': ({ ofBytes }, random) => {
    const [turn, bit] = [somewhere(random), random.below(8)];
    ofBytes.push((bundle) => flipped(bundle, at(bundle, turn), bit));
  },
  'a flipped bit in a header': ({ ofBytes }, random) => {
    const [turn, place, bit] = [somewhere(random), random.below(block), random.below(8)];
    ofBytes.push((bundle) => {
      const headers = headersOf(bundle);
      return flipped(bundle, (headers[turn % headers.length] ?? 0) + place, bit);
    });
  },
  'a changed byte in a header': ({ ofBytes }, random) => {
    const [turn, place] = [somewhere(random), random.below(block)];
    const value = random.pick([0, 0x20, 0x30, 0x37, 0x38, 0x80, 0xff]);
    ofBytes.push((bundle) => {
      const headers = headersOf(bundle);
      const start = (headers[turn % headers.length] ?? 0) + place;
      return spliced(bundle, start, 1, Buffer.of(value));
    });
  },
  'truncated at a byte': ({ ofBytes }, random) => {
    const turn = somewhere(random);
    ofBytes.push((bundle) => bundle.subarray(0, at(bundle, turn)));
  },
  'truncated at a block': ({ ofBytes }, random) => {
    const turn = somewhere(random);
    ofBytes.push((bundle) => bundle.subarray(0, blockAt(bundle, turn)));
  },
  'bytes appended': ({ ofBytes }, random) => {
    const tail = random.pick([
      Buffer.alloc(1),
      Buffer.alloc(block),
      Buffer.alloc(9 * block),
      random.bytes(1 + random.below(600)),
    ]);
    ofBytes.push((bundle) => Buffer.concat([bundle, tail]));
  },
  'removed bytes': ({ ofBytes }, random) => {
    const [turn, size] = [somewhere(random), 1 + random.below(600)];
    ofBytes.push((bundle) => spliced(bundle, at(bundle, turn), size));
  },
  'bytes inserted': ({ ofBytes }, random) => {
    const [turn, bytes] = [somewhere(random), random.bytes(1 + random.below(600))];
    ofBytes.push((bundle) => spliced(bundle, at(bundle, turn), 0, bytes));
  },
  'a removed block': ({ ofBytes }, random) => {
    const turn = somewhere(random);
    ofBytes.push((bundle) => spliced(bundle, blockAt(bundle, turn), block));
  },
  'a repeated block': ({ ofBytes }, random) => {
    const turn = somewhere(random);
    ofBytes.push((bundle) => {
      const start = blockAt(bundle, turn);
      return spliced(bundle, start, 0, bundle.subarray(start, start + block));
    });
  },
  'a block of zeros inserted': ({ ofBytes }, random) => {
    const turn = somewhere(random);
    ofBytes.push((bundle) => spliced(bundle, blockAt(bundle, turn), 0, Buffer.alloc(block)));
  },
  'two blocks swapped': ({ ofBytes }, random) => {
    const [one, other] = [somewhere(random), somewhere(random)];
    ofBytes.push((bundle) => {
      const [a, b] = [blockAt(bundle, one), blockAt(bundle, other)];
      const changed = Buffer.from(bundle);
      bundle.copy(changed, a, b, b + block);
      bundle.copy(changed, b, a, a + block);
      return changed;
    });
  },
};
