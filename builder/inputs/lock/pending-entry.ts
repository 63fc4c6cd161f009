import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import { unresolved } from './lock.ts';

/** A lock entry that could not be resolved. */
export interface LockFailure {
  /** Component, file or model. */
  readonly name: string;
  readonly error: LandfallError;
  /** How to use another source, as the rest of a hint: "add a mirror with …". */
  readonly otherSource: string;
}

/** An entry to resolve. */
export interface PendingEntry<T> {
  readonly name: string;
  readonly otherSource: string;
  readonly resolve: () => Promise<T>;
  /** The lock entry if the source fails. */
  readonly known: T;
}

/**
 * Resolves an entry. On failure, returns its known values and records the error, so that the other
 * entries are still resolved.
 */
export async function resolveOrKeep<T>(
  { name, otherSource, resolve, known }: PendingEntry<T>,
  failures: LockFailure[],
): Promise<T> {
  try {
    return await resolve();
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    failures.push({ name, error, otherSource });
    return known;
  }
}

type Fields = Readonly<Record<string, string | number>>;

/**
 * Rejects values of a source that differ from the lock. `unresolved` fields are not compared.
 * @throws LandfallError LOCK_DRIFT naming both values of every field that differs
 */
export function refuseOther(name: string, known: Fields | undefined, found: Fields): void {
  const problems = Object.entries(found).flatMap(([field, value]) => {
    const locked = known?.[field] ?? unresolved;
    if (locked === unresolved || locked === value) return [];
    return [{ message: `${field}: locked ${locked}, found ${value}` }];
  });
  if (problems.length === 0) return;
  throw new LandfallError('LOCK_DRIFT', 'the source does not match the lock', {
    hint: `Check why it changed, then accept it with \`landfall lock --update ${name}\`.`,
    problems,
  });
}

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
