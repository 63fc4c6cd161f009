/**
 * Ends the program as Ctrl-C does. A prompt reads the key itself, so no signal arrives. The shell
 * sees exit status 130, and a calling script stops as well.
 * @param outcome the resulting state of the files, such as `nothing was written`
 */
export async function cancel(outcome: string): Promise<never> {
  process.stderr.write(`cancelled: ${outcome}\n`);
  process.kill(process.pid, 'SIGINT');
  return await new Promise(() => {});
}
