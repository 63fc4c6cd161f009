import { createInterface } from 'node:readline/promises';

/**
 * Asks for confirmation; the default is no. Without a terminal (CI, a pipe) the answer is yes:
 * there, `npm test` implies a dedicated machine.
 */
export async function consent(question: string): Promise<boolean> {
  if (process.env.CI || !process.stdin.isTTY || !process.stdout.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
