/*
 * The pipes of Node are Unix sockets. The AppArmor profiles of Ubuntu (`unix-chkpwd` since 24.04, `wg` since
 * 25.04) let a program send nothing to a socket of an unconfined program, so the kernel replaces it by
 * /dev/null and logs a denial: the program prints nothing, and its exit code may still be 0. Pipes of a
 * shell are not mediated.
 */

/**
 * Returns the command that runs a confined program with pipes of a shell. Its exit code is that of the
 * program. If it is not 0, all output is on standard error.
 */
export function throughPipes(
  file: string,
  args: readonly string[],
): readonly [file: string, args: readonly string[]] {
  return ['sh', ['-c', script, file, ...args]];
}

const script = `output=$(cat | "$0" "$@" 2>&1) && code=0 || code=$?
[ $code = 0 ] || exec >&2
printf '%s\\n' "$output"
exit $code`;
