import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import type { LockFailure } from './resolve-entries.ts';

/** Failures that another source may not have. */
const sourceFailures: readonly ErrorCode[] = [
  'NETWORK_UNREACHABLE',
  'NETWORK_TIMEOUT',
  'NETWORK_TLS',
  'NETWORK_PROXY',
  'HTTP_STATUS',
  'HTTP_REDIRECT',
  'REGISTRY_PROTOCOL',
  'REGISTRY_RATE_LIMIT',
];

/**
 * Returns an error that lists every entry that could not be resolved. Its code is the common code of
 * all failures, or LOCK_UNRESOLVED.
 * @param path path of the lock file, which contains the other entries
 */
export function lockFailure(path: string, failures: readonly LockFailure[]): LandfallError {
  const [code = 'LOCK_UNRESOLVED', ...others] = new Set(failures.map(({ error }) => error.code));
  const names = failures.map(({ name }) => name).join(', ');
  return new LandfallError(
    others.length === 0 ? code : 'LOCK_UNRESOLVED',
    `locking failed: ${names}`,
    {
      hint: `Fix the problems above and run \`landfall lock\` again; ${path} keeps the resolved entries.`,
      problems: folded(failures).flatMap(problemsOf),
      cause: failures[0]?.error,
    },
  );
}

/** Joins the names of entries that failed with one cause, such as an unreachable registry. */
function folded(failures: readonly LockFailure[]): LockFailure[] {
  const byCause = new Map<string, LockFailure>();
  for (const failure of failures) {
    const { name, error, otherSource } = failure;
    // Problems of one entry, such as its digests, are never those of another.
    const cause = error.problems.length > 0 ? name : `${error.message}\n${otherSource}`;
    const first = byCause.get(cause);
    byCause.set(cause, first ? { ...first, name: `${first.name}, ${name}` } : failure);
  }
  return [...byCause.values()];
}

function problemsOf({ name, error, otherSource }: LockFailure): Problem[] {
  const hint = sourceFailures.includes(error.code)
    ? `Check the connection and the proxy, or ${otherSource}.`
    : error.hint;
  return [
    { message: `${name}: ${error.message}`, hint },
    ...error.problems.map((problem) => ({ ...problem, message: `${name}: ${problem.message}` })),
  ];
}
