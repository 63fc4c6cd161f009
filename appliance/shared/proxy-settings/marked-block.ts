import { LandfallError } from '#contract/errors.ts';

const start = '# >>> landfall route >>>';
/** Records that the line before had no line break, so that its removal restores every byte. */
const startAfterOpenLine = '# >>> landfall route, after a line without an end >>>';
const end = '# <<< landfall route <<<';

const firstLine = /^# >>> landfall route(?:, after a line without an end)? >>>$/m;
/** Where a line begins. */
const lineStart = '(?<![^\n])';
/**
 * Its marks are whole lines, and it has no first line of another block: it never begins at one that lost
 * its last line. An editor may have removed the line break at the end of the file.
 */
const block = new RegExp(
  `(?:${lineStart}${escaped(start)}|\n(${escaped(startAfterOpenLine)}))\n` +
    `(?:(?!${lineStart}# >>> landfall route)[^])*?${lineStart}${escaped(end)}(?:\n|$)`,
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

/**
 * Rejects a file with the first line of a block and not the last. What follows may be of the user.
 * @throws LandfallError CONFIG_INVALID
 */
export function requireClosedBlock(text: string, path: string): void {
  const [line] = firstLine.exec(withoutBlock(text)) ?? [];
  if (line === undefined) return;
  throw new LandfallError(
    'CONFIG_INVALID',
    `${path} has a line of Landfall without its last line`,
    {
      hint: `Remove the line \`${line}\` and what Landfall wrote below it, and run the command again.`,
    },
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
