import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';

/** More than any key has. Bytes. */
const limit = 8192;

/**
 * Reads a secret: from a person without showing it, or all of a pipe or file. A line break at its
 * end does not count. It is never taken from an argument, which every user of the server can see.
 * @throws LandfallError USAGE when there is too much of it, or nobody answers
 */
export async function readHidden(question: string): Promise<string> {
  const text = process.stdin.isTTY ? await askPerson(question) : await readAll();
  return text.replace(/\r?\n$/, '');
}

async function askPerson(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Only now: the terminal would show what somebody types before it was told not to.
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      // The terminal is in raw mode, so Ctrl-C is no signal yet.
      lines.once('SIGINT', () => {
        lines.close();
        process.stderr.write('\n');
        process.kill(process.pid, 'SIGINT');
      });
      lines.once('close', () => reject(new LandfallError('USAGE', 'no value was given')));
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
      throw new LandfallError('USAGE', `more than ${limit} bytes were given`);
  }
  return text;
}
