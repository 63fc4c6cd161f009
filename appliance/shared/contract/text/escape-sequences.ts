/**
 * Terminal escape sequences (ECMA-48): titles and links, up to BEL or ST, cursor movement and
 * colours. `util.stripVTControlCharacters` of Node 24 removes the same; the pattern is that of
 * ansi-regex (MIT, Sindre Sorhus).
 */
export const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
  /(?:\u001b\][\s\S]*?(?:\u0007|\u001b\\|\u009c))|[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g;

/** Returns a text without escape sequences. */
export function stripEscapeSequences(text: string): string {
  return text.replace(escapeSequence, '');
}
