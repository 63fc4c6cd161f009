import { describe, it } from 'vitest';
import { type NeedName, reasonVariableOf, variableOf } from '../setup/variables.ts';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * Variable with the reason why a suite cannot run on this machine; the summary of `npm test`
     * prints it.
     */
    unmet?: string;
  }
}

/**
 * Requested dependencies of a suite, by name, and a `describe` that skips with a reason if one is
 * missing.
 */
type Needs<Name extends NeedName> = Readonly<Record<Name, string>> & {
  describe(name: string, suite: () => void): void;
};

/**
 * Requests real dependencies that `npm test` prepares:
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
    // The compiler cannot infer that the entries are the requested names.
    ...(Object.fromEntries(values) as Record<Name, string>),
    describe(name, suite) {
      if (unmet.length === 0) return describe(name, suite);
      // A dedicated test machine with a missing dependency is a failure.
      if (process.env.CI) {
        return describe(name, () => {
          it('finds the dependencies of the integration tests', () => {
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
