import { Draft, type Mutations } from './draft.ts';
import { byteMutations } from './mutations/bytes.ts';
import { evidenceMutations } from './mutations/evidence.ts';
import { manifestMutations } from './mutations/manifest.ts';
import { memberMutations } from './mutations/members.ts';
import { signatureMutations } from './mutations/signature.ts';
import { timeMutations } from './mutations/times.ts';
import { Random } from './random.ts';

/** A bundle for both programs. */
export interface Input {
  /** The applied mutation. */
  readonly name: string;
  readonly bundle: Buffer;
  /** release.json as it was signed; user-data pins it. */
  readonly manifest: Buffer;
}

/** All kinds have equal probability, regardless of their number of variants. */
export const kinds: readonly Mutations[] = [
  byteMutations,
  memberMutations,
  timeMutations,
  manifestMutations,
  signatureMutations,
  evidenceMutations,
];

/** Returns the input with this number. Deterministic by seed, except for keys and signatures. */
export function inputAt(seed: number, index: number): Input {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + index);
  const draft = new Draft();
  const names = Array.from({ length: random.pick([0, 1, 1, 1, 1, 1, 1, 2, 2, 3]) }, () => {
    const [name, mutate] = random.pick(Object.entries(random.pick(kinds)));
    mutate(draft, random);
    return name;
  });
  return { name: names.join(', ') || 'nothing', ...draft.make() };
}
