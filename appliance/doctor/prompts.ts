/** Answer of a confirmation; Ctrl-C ends the program as the signal does. */
export async function askToConfirm(message: string): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  return await unlessCancelled(await confirm({ message, initialValue: false, ...streams }));
}

/** Prompts go to stderr, so that stdout has the result only. */
const streams = { input: process.stdin, output: process.stderr };

/** A prompt reads Ctrl-C itself, so no signal arrives. */
async function unlessCancelled<T>(answer: T): Promise<Exclude<T, symbol>> {
  if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>;
  process.kill(process.pid, 'SIGINT');
  return await new Promise(() => {});
}
