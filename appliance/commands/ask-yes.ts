import { createInterface } from 'node:readline';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';

/**
 * Asks on the terminal, and returns whether the answer is the expected word.
 * @param option the option that answers for programs
 * @throws LandfallError USAGE without a terminal
 */
export async function askFor(
  word: 'y' | 'yes',
  question: string,
  option: string,
): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: 'this command asks before it changes the server',
        zh: '这条命令在更改服务器之前会提问',
      }),
      {
        hint: {
          en: `Run it on a terminal, or with ${option}.`,
          zh: `在终端中运行，或加上 ${option}。`,
        },
      },
    );
  }
  const given = (await askLine(question)).trim().toLowerCase();
  return given === word || given === 'yes';
}

/** Asks on the terminal, and returns the line; empty after Ctrl-D. */
export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve) => {
      lines.question(question, resolve);
      // Ctrl-D.
      lines.once('close', () => resolve(''));
      lines.once('SIGINT', () => {
        lines.close();
        process.stderr.write('\n');
        process.kill(process.pid, 'SIGINT');
      });
    });
  } finally {
    lines.close();
  }
}
