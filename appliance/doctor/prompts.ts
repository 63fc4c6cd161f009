/** Answer of a confirmation; Ctrl-C ends the program as the signal does. */
export async function askToConfirm(message: string): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  return await unlessCancelled(await confirm({ message, initialValue: false, ...streams }));
}

/** Asks for one of several answers. Returns its index. Ctrl-C ends the program. */
export async function askToChoose(message: string, answers: readonly string[]): Promise<number> {
  const { select } = await import('@clack/prompts');
  const options = answers.map((label, value) => ({ value, label }));
  return await unlessCancelled(await select({ message, options, ...streams }));
}

/** Prompts go to stderr, so that stdout has the result only. */
const streams = { input: process.stdin, output: process.stderr };

/** A prompt reads Ctrl-C itself, so no signal arrives. */
async function unlessCancelled<T>(answer: T): Promise<Exclude<T, symbol>> {
  if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>;
  process.kill(process.pid, 'SIGINT');
  return await new Promise(() => {});
}
