/**
 * Escapes for GitHub Flavored Markdown. Names come from untrusted files and must not become links,
 * mentions, images, HTML or further cells.
 */

/** Characters that are literal in a code span within a table cell. */
const plain = /^[^`|\\]+$/;

/** Returns a text as code. Inside of code, nothing is an image, a mention or HTML. */
export function codeOf(text: string): string {
  if (text === '') return '';
  if (plain.test(text)) return `\`${text}\``;
  // Entities never act as syntax (CommonMark 0.31.2, section 2.5).
  return `<code>${text.replace(/[^A-Za-z0-9 ]/gu, entity)}</code>`;
}

/** Returns a text as code in an HTML block, where Markdown is not interpreted. */
export function htmlCodeOf(text: string): string {
  return `<code>${text.replace(/[&<>]/g, entity)}</code>`;
}

/**
 * Escapes a sentence: every character that can begin a construct or a link inside of a line. Use
 * {@link codeOf} for names, because code hosts look for mentions after entities are resolved.
 */
export function proseOf(text: string): string {
  return text.replace(/[\\`*_~[\]<>&|@#]|:(?=\/\/)|(?<=\bwww)\./gi, entity);
}

function entity(character: string): string {
  return `&#${character.codePointAt(0)};`;
}

/** Returns lines as a block of code of a language. The fence is longer than any in the lines. */
export function codeBlock(language: string, lines: readonly string[]): string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length);
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return [`${fence}${language}`, ...lines, fence];
}
