/**
 * Escape sequences of terminals (ECMA-48): those that set titles or links, up to BEL or ST, then those
 * that move the cursor or set colours. The same as `util.stripVTControlCharacters` of Node looks for.
 */
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
  /[\u001b\u009b][[\]()#;?]*(?:(?:(?:(?:;[-a-zA-Z\d/#&.:=?%@~_]+)*|[a-zA-Z\d]+(?:;[-a-zA-Z\d/#&.:=?%@~_]*)*)?(?:\u0007|\u001b\u005c|\u009c))|(?:(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-ntqry=><~]))/g;

/** Returns a text without escape sequences. */
export function stripEscapeSequences(text: string): string {
  return text.replace(escapeSequence, '');
}
