import { createInterface } from 'node:readline/promises';

/**
 * Asks a person once; no is the default. Without a terminal (CI, a pipe) there is nobody to ask,
 * and the answer is yes: `npm test` there means a machine that exists for it.
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
