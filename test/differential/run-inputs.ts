import { sha256 } from '../simulator/bundle.ts';
import type { BootstrapProcess } from './bootstrap-process.ts';
import { differenceOf } from './compare.ts';
import { inputAt } from './input.ts';
import type { Verdict } from './verdict.ts';
import { verifierJudges } from './verifier.ts';

/** An input on which the two disagree, with the data to reproduce it. */
export interface Difference {
  readonly seed: number;
  readonly index: number;
  readonly name: string;
  readonly text: string;
}

export interface Outcome {
  readonly differences: readonly Difference[];
  /** Number of each verdict: `both accept`, `both reject`, or a rule of the verifier alone. */
  readonly tally: ReadonlyMap<string, number>;
}

/** Number of concurrent inputs, so that both programs are always busy. */
const underWay = 32;

/** Runs a number of inputs through both programs. */
export async function runInputs(
  bootstrap: BootstrapProcess,
  { seed, inputs }: { readonly seed: number; readonly inputs: number },
): Promise<Outcome> {
  const differences: Difference[] = [];
  const tally = new Map<string, number>();
  for (let first = 0; first < inputs; first += underWay) {
    const indexes = Array.from({ length: Math.min(underWay, inputs - first) }, (_, n) => first + n);
    const checked = await Promise.all(
      indexes.map(async (index) => {
        const { name, bundle, manifest } = inputAt(seed, index);
        const pin = sha256(manifest);
        const asked = bootstrap.judge(bundle, pin);
        const verifier = await verifierJudges(bundle, pin);
        return { index, name, manifest, verifier, bootstrap: await asked };
      }),
    );
    for (const { index, name, manifest, verifier, bootstrap: other } of checked) {
      const text = differenceOf(manifest, verifier, other);
      if (text) differences.push({ seed, index, name, text });
      const kind = kindOf(verifier, other);
      tally.set(kind, (tally.get(kind) ?? 0) + 1);
    }
  }
  return { differences, tally };
}

function kindOf(verifier: Verdict, bootstrap: Verdict): string {
  if (verifier.accepted) return bootstrap.accepted ? 'both accept' : 'the verifier alone accepts';
  return bootstrap.accepted ? `the bootstrap alone accepts: ${verifier.rule}` : 'both reject';
}

/** Formats a difference, with the command to reproduce it. */
export function formatDifference({ seed, index, name, text }: Difference): string {
  return `seed ${seed}, input ${index} (${name}): ${text}`;
}
