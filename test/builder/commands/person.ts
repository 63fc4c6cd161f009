import { PassThrough } from 'node:stream';
import { type TestTerminal, terminalIn } from './terminal.ts';

/** A terminal that answers prompts. */
export interface PersonAtTerminal extends TestTerminal {
  /** The answers whose prompt did not appear. */
  unasked(): string[];
}

/**
 * Types an answer and Enter whenever the text that asks for it shows up, one after another.
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
    // The prompt listens once it has been drawn.
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

/** One key after another, as fingers do. */
function typeKeys(stdin: PassThrough, keys: string): void {
  for (const key of keys) stdin.write(key);
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is taken out.
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\s*\n[│|]?\s*/g, ' ');
}
