import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/**
 * Asks for confirmation; the default is no. Without a terminal (CI, a pipe) the answer is yes:
 * there, `npm test` implies a dedicated machine. Ctrl-C is a signal to this process, as at any other
 * time of a run.
 */
export async function consent(question: string): Promise<boolean> {
  if (process.env.CI || !process.stdin.isTTY || !process.stdout.isTTY) return true;
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    // The terminal stays in line mode: in raw mode, Ctrl-C would be a key without an effect.
    terminal: false,
  });
  // Ctrl-D ends the input without an answer.
  const ended = once(terminal, 'close').then(() => '');
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
