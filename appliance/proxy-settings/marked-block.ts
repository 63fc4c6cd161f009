const start = '# >>> landfall route >>>';
/** Records that the line before had no line break, so that its removal restores every byte. */
const startAfterOpenLine = '# >>> landfall route, after a line without an end >>>';
const end = '# <<< landfall route <<<';

const block = new RegExp(
  `(?:${escaped(start)}|\n(${escaped(startAfterOpenLine)}))\n[^]*?${escaped(end)}\n`,
);

/** Returns a settings file with our lines in a marked block: where it is already, or at the end. */
export function withBlock(text: string, lines: string): string {
  const rest = withoutBlock(text);
  const isOpen = rest !== '' && !rest.endsWith('\n');
  if (rest === text)
    return `${text}${isOpen ? `\n${startAfterOpenLine}` : start}\n${lines}${end}\n`;
  return text.replace(
    block,
    (found) => `${found.slice(0, found.indexOf('>>>\n'))}>>>\n${lines}${end}\n`,
  );
}

/** Returns a settings file without our block, as it was before {@link withBlock}. */
export function withoutBlock(text: string): string {
  return text.replace(block, '');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
