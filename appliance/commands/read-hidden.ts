import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';

/** Size limit in bytes, larger than any key. */
const limit = 8192;

/**
 * Reads a secret from the terminal without echo, or from a pipe or file. Removes white space around it, which
 * is often copied with a key.
 * Secrets are never arguments, which all users of the server can see.
 * @throws LandfallError USAGE if the input is too large or empty
 */
export async function readHidden(question: string): Promise<string> {
  const text = process.stdin.isTTY ? await readLine(question) : await readAll();
  return text.trim();
}

async function readLine(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Prompt only after echo is off, or the terminal shows what the user types early.
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      // In raw mode the terminal does not turn Ctrl-C into a signal.
      lines.once('SIGINT', () => {
        lines.close();
        process.stderr.write('\n');
        process.kill(process.pid, 'SIGINT');
      });
      lines.once('close', () =>
        reject(
          new LandfallError('USAGE', inLanguage({ en: 'no value was given', zh: '没有输入值' })),
        ),
      );
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

async function readAll(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.length > limit)
      throw new LandfallError(
        'USAGE',
        inLanguage({ en: `the value is larger than ${limit} bytes`, zh: `值超过 ${limit} 字节` }),
      );
  }
  return text;
}
