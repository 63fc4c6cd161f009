const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** Reports whether a character takes two columns, as Chinese ones do. */
export function isWide(char: string): boolean {
  return wide.test(char);
}

/**
 * Terminal escape sequences (ECMA-48): titles and links, up to BEL or ST, cursor movement and
 * colours. `util.stripVTControlCharacters` of Node 24 removes the same; the pattern is that of
 * ansi-regex (MIT, Sindre Sorhus).
 */
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  /(?:\u001b\][\s\S]*?(?:\u0007|\u001b\\|\u009c))|[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g;

/** Returns a text without escape sequences. */
export function stripEscapeSequences(text: string): string {
  return text.replace(escapeSequence, '');
}

/** Returns the width of a text in terminal columns. Wide East Asian characters take two, escape sequences none. */
export function displayWidth(text: string): number {
  return [...stripEscapeSequences(text)].reduce((sum, char) => sum + (isWide(char) ? 2 : 1), 0);
}

/** Characters, and whole escape sequences. */
const tokens = new RegExp(`${escapeSequence.source}|.`, 'gsu');

/** Returns the longest start of a text that fits into this many terminal columns. */
export function startWithin(text: string, columns: number): string {
  let start = '';
  let room = columns;
  for (const [token] of text.matchAll(tokens)) {
    room -= displayWidth(token);
    if (room < 0) break;
    start += token;
  }
  return start;
}
