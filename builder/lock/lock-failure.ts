import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import type { LockFailure } from './settle.ts';

/** Failures that another source of the same bytes may not have. */
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
 * The error that lists every entry that could not be resolved. It has the code that all of them
 * share, else LOCK_UNRESOLVED.
 * @param path of the lock, which holds the other entries by now
 */
export function lockFailure(path: string, failures: readonly LockFailure[]): LandfallError {
  const [code = 'LOCK_UNRESOLVED', ...others] = new Set(failures.map(({ error }) => error.code));
  const names = failures.map(({ name }) => name).join(', ');
  return new LandfallError(
    others.length === 0 ? code : 'LOCK_UNRESOLVED',
    `locking failed: ${names}`,
    {
      hint: `Fix the problems above and run \`landfall lock\` again; ${path} keeps what is resolved.`,
      problems: failures.flatMap(problemsOf),
      cause: failures[0]?.error,
    },
  );
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
