/**
 * Escape sequences of terminals (ECMA-48): those that set titles or links, up to BEL or ST, and those
 * that move the cursor or set colours. `util.stripVTControlCharacters` of Node 24 removes the same; the
 * pattern is that of ansi-regex (MIT, Sindre Sorhus).
 */
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  /(?:\u001b\][\s\S]*?(?:\u0007|\u001b\\|\u009c))|[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g;

/** Returns a text without escape sequences. */
export function stripEscapeSequences(text: string): string {
  return text.replace(escapeSequence, '');
}
