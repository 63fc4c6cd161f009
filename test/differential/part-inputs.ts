import { splitInto } from '../simulator/split-into.ts';
import { Draft } from './draft.ts';
import { Random } from './random.ts';

/** A valid bundle and the parts that a server has. */
export interface PartInput {
  /** The applied mutation. */
  readonly name: string;
  readonly bundle: Buffer;
  readonly manifest: Buffer;
  readonly parts: readonly Buffer[];
}

type PartMutation = (parts: readonly Buffer[], random: Random) => readonly Buffer[];

const another = (): Buffer => {
  const draft = new Draft();
  draft.files = draft.files.map((file) => ({
    ...file,
    content: Buffer.from(file.content).fill(1),
  }));
  return draft.make().bundle;
};

const replaced = (parts: readonly Buffer[], at: number, part: Buffer) => parts.with(at, part);
const longer = (part: Buffer, random: Random) =>
  Buffer.concat([part, random.bytes(1 + random.below(600))]);

const mutations: Readonly<Record<string, PartMutation>> = {
  nothing: (parts) => parts,
  'a part is missing': (parts, random) => parts.toSpliced(random.below(parts.length), 1),
  'the last part is missing': (parts) => parts.slice(0, -1),
  'parts are swapped': (parts, random) => {
    const [one, other] = [random.below(parts.length), random.below(parts.length)];
    return parts.map((part, at) => parts[at === one ? other : at === other ? one : at] ?? part);
  },
  'a part is repeated': (parts, random) => {
    const at = random.below(parts.length);
    return parts.toSpliced(at, 0, random.pick(parts));
  },
  'a part ends early': (parts, random) => {
    const at = random.below(parts.length);
    const part = random.pick(parts.slice(at, at + 1));
    return replaced(parts, at, part.subarray(0, random.below(part.length)));
  },
  'a part is longer': (parts, random) => {
    const at = random.below(parts.length);
    return replaced(parts, at, longer(random.pick(parts.slice(at, at + 1)), random));
  },
  'the last part is longer': (parts, random) =>
    replaced(parts, parts.length - 1, longer(random.pick(parts.slice(-1)), random)),
  'a part contains all that follows': (parts, random) => {
    const at = random.below(parts.length);
    return replaced(parts, at, Buffer.concat(parts.slice(at)));
  },
  'there is an extra part': (parts, random) => [...parts, random.bytes(1 + random.below(600))],
  'there is an empty extra part': (parts) => [...parts, Buffer.alloc(0)],
  'a part is of another release': (parts, random) => {
    const at = random.below(parts.length);
    const other = splitInto(another(), parts[0]?.length ?? 1)[at];
    return other ? replaced(parts, at, other) : parts;
  },
  'a byte is changed': (parts, random) => {
    const at = random.below(parts.length);
    const part = Buffer.from(random.pick(parts.slice(at, at + 1)));
    const place = random.below(part.length);
    part[place] = (part[place] ?? 0) ^ (1 << random.below(8));
    return replaced(parts, at, part);
  },
};

/** Returns the input with this number. Deterministic by seed, except for keys and signatures. */
export function partInputAt(seed: number, index: number): PartInput {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + index);
  const { bundle, manifest } = new Draft().make();
  // A multiple of the size of a block can divide the bundle.
  const partSize = random.oneIn(3) ? 512 * (1 + random.below(20)) : 300 + random.below(9_000);
  const [name, mutate] = random.pick(Object.entries(mutations));
  return { name, bundle, manifest, parts: mutate(splitInto(bundle, partSize), random) };
}
