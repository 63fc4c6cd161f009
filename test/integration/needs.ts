import { describe, it } from 'vitest';
import { type NeedName, reasonVariableOf, variableOf } from '../setup/variables.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Why a suite does not run on this machine; the summary of `npm test` prints it. */
    unmet?: string;
  }
}

/** What a suite asked for, by name, and a `describe` that skips, loudly, what cannot run. */
type Needs<Name extends NeedName> = Readonly<Record<Name, string>> & {
  describe(name: string, suite: () => void): void;
};

/**
 * Asks for real parts that `npm test` prepares:
 *
 *     const { describe, registry, skopeo } = needs('registry', 'skopeo');
 *
 * Where one is missing, the suites are skipped with the reason, or fail in CI. The values are empty
 * then, so they are for tests and hooks to use, not for the body of a suite.
 */
export function needs<Name extends NeedName>(...names: readonly Name[]): Needs<Name> {
  const values = names.map((name): [Name, string] => [name, process.env[variableOf(name)] ?? '']);
  const unmet = values.filter(([, value]) => value === '').map(([name]) => reasonOf(name));
  return {
    // The compiler cannot see that the entries are the names that were asked for.
    ...(Object.fromEntries(values) as Record<Name, string>),
    describe(name, suite) {
      if (unmet.length === 0) return describe(name, suite);
      // A machine that exists for tests and lacks a part of them is broken.
      if (process.env.CI) {
        return describe(name, () => {
          it('has what it needs', () => {
            throw new Error(unmet.join('; '));
          });
        });
      }
      return describe(name, { skip: true, meta: { unmet: unmet.join('; ') } }, suite);
    },
  };
}

function reasonOf(name: NeedName): string {
  const reason = process.env[reasonVariableOf(name)];
  return `no ${name}: ${reason ?? 'nothing was prepared; run npm test -- --integration'}`;
}
