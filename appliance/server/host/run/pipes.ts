/*
 * The pipes of Node are Unix sockets. The AppArmor profiles of Ubuntu (`unix-chkpwd` since 24.04, `wg` since
 * 25.04) allow no socket of an unconfined program, so the kernel replaces it by /dev/null: the program reads
 * and prints nothing, and its exit code may still be 0. Pipes of a shell are not mediated.
 */

type Command = readonly [file: string, args: readonly string[]];

/** Returns the command that runs a confined program with a pipe as standard input. Its output is lost. */
export function readingPipe(file: string, args: readonly string[]): Command {
  return ['sh', ['-c', 'cat | "$0" "$@"', file, ...args]];
}

/** Returns the command that runs a confined program with a pipe as standard output. It succeeds always. */
export function writingPipe(file: string, args: readonly string[]): Command {
  return ['sh', ['-c', '"$0" "$@" | cat', file, ...args]];
}
