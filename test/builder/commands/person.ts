import { PassThrough } from 'node:stream';
import { type TestTerminal, terminalIn } from './terminal.ts';

/** A terminal that answers prompts. */
export interface PersonAtTerminal extends TestTerminal {
  /** The answers whose prompt did not appear. */
  unasked(): string[];
}

/**
 * Types each answer and Enter when its prompt appears, in order.
 * @param answers the text to wait for and the keys to press
 */
export function personAt(
  cwd: string,
  answers: ReadonlyArray<readonly [question: string, keys: string]>,
): PersonAtTerminal {
  const open = [...answers];
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  let shown = '';
  let all = '';
  stderr.on('data', (chunk: Buffer) => {
    all += chunk;
    shown += chunk;
    const [next] = open;
    if (!next || !plain(shown).includes(next[0])) return;
    open.shift();
    shown = '';
    // The prompt accepts input after it was drawn.
    setImmediate(() => typeKeys(stdin, `${next[1]}\r`));
  });
  const terminal = terminalIn(cwd, { HOME: cwd });
  return {
    ...terminal,
    context: { ...terminal.context, stdin, stderr, interactive: true },
    err: () => all,
    unasked: () => open.map(([question]) => question),
  };
}

/** Sends the keys one by one. */
function typeKeys(stdin: PassThrough, keys: string): void {
  for (const key of keys) stdin.write(key);
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes escape sequences.
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\s*\n[│|]?\s*/g, ' ');
}
