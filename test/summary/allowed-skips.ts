/** Tests that may be skipped in CI. */
export interface AllowedSkip {
  /** Path of the file, from the root of the project. */
  readonly file: string;
  /** The exact reason that the test gives. */
  readonly reason: string;
}

/**
 * Every skip that CI accepts. With `CI=true`, any other skipped test counts as failed, because a
 * machine that lacks something must not turn tests off in silence.
 */
export const allowedSkips: readonly AllowedSkip[] = [];

/** Returns whether a test may be skipped: outside CI with any reason, in CI with a listed one. */
export function mayBeSkipped(
  { file, reason }: { readonly file: string; readonly reason: string | undefined },
  allowed: readonly AllowedSkip[] = allowedSkips,
  isCi: boolean = Boolean(process.env.CI),
): boolean {
  if (reason === undefined) return false;
  return !isCi || allowed.some((each) => each.file === file && each.reason === reason);
}
