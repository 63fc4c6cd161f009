/**
 * Ends the program as Ctrl-C does: a prompt reads the key itself, so no signal arrives. A shell sees
 * exit status 130, and a script around this command stops too.
 * @param outcome what is true of the files now, such as `nothing was written`
 */
export async function cancel(outcome: string): Promise<never> {
  process.stderr.write(`cancelled: ${outcome}\n`);
  process.kill(process.pid, 'SIGINT');
  return await new Promise(() => {});
}
