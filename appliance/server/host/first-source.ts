import { type ErrorCode, LandfallError } from '#contract/errors.ts';

/** Another source cannot help: it needs the same disk and the same daemon. */
const regardless: readonly ErrorCode[] = ['DISK_FULL', 'DOCKER_UNREACHABLE'];

/**
 * Tries sources one after another, and returns the result of the first that succeeds.
 * @throws LandfallError the last failure, with those of earlier sources as problems
 */
export async function fromFirstSource<Source, Result>(
  sources: readonly Source[],
  attempt: (source: Source) => Promise<Result>,
): Promise<Result> {
  const failures: LandfallError[] = [];
  for (const source of sources) {
    try {
      return await attempt(source);
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      failures.push(error);
      if (regardless.includes(error.code)) break;
    }
  }
  const [last, ...before] = failures.toReversed();
  if (!last || before.length === 0) throw last;
  throw new LandfallError(last.code, last.message, {
    hint: last.hint,
    retriable: last.retriable,
    problems: [...last.problems, ...before.map(({ message, hint }) => ({ message, hint }))],
    cause: last,
  });
}
