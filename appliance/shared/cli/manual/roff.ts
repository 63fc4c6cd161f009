/** Characters that troff interprets or replaces, with their escapes (groff_char(7)). */
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** Escapes a line of text for troff, including a dot at its beginning, which would start a request. */
export function escaped(line: string): string {
  return protectedLine(withEscapes(line));
}

/** Returns a line of prose with its `quoted` words in bold. */
export function prose(line: string): string {
  const marked = line
    .split(/`([^`]+)`/)
    .map(withEscapes)
    .map((part, index) => (index % 2 === 0 ? part : `\\fB${part}\\fR`));
  return protectedLine(marked.join(''));
}

function withEscapes(text: string): string {
  return text
    .replace(/[\\\-'`^~]/g, (character) => escapes[character] ?? character)
    .replace(/[^\x20-\x7e]/gu, (character) => {
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      return `\\[u${code}]`;
    });
}

function protectedLine(line: string): string {
  return line.startsWith('.') ? `\\&${line}` : line;
}

/** Returns the lines of a help text: prose is filled, lines that start with two spaces are kept. */
export function helpText(text: string): string[] {
  if (text.trim() === '') return [];
  const blocks = text.trim().split(/\n{2,}/);
  return blocks.flatMap((block) => ['.PP', ...linesOf(block)]);
}

function linesOf(block: string): string[] {
  const result: string[] = [];
  let literal = false;
  for (const line of block.split('\n')) {
    const indented = line.startsWith('  ');
    if (indented !== literal) result.push(...(indented ? ['.RS 4', '.nf'] : ['.fi', '.RE']));
    literal = indented;
    result.push(indented ? escaped(line.slice(2)) : prose(line));
  }
  if (literal) result.push('.fi', '.RE');
  return result;
}
