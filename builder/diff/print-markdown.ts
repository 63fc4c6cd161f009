import { type Report, type Row, type Section, safeText, type TextDiff } from './report.ts';

/** Rows per table. GitHub rejects descriptions of more than 65,536 characters. */
const maxRows = 100;

/** Renders a report in GitHub Flavored Markdown, for pull requests and release notes. */
export function printMarkdown({ title, summary, sections, texts, notes }: Report): string {
  const blocks = [
    [`### ${prose(title)}`],
    ...summary.map((sentence) => [prose(sentence)]),
    ...sections.flatMap(tableOf),
    ...texts.map(detailsOf),
    ...notes.map((note) => [`_${prose(note)}_`]),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function tableOf({ title, rows }: Section): string[][] {
  const shown = rows.slice(0, maxRows);
  const hidden = rows.length - shown.length;
  const hasFields = shown.some(({ fields }) => fields.some(({ name }) => name !== ''));
  const header = ['', 'name', ...(hasFields ? ['field'] : []), 'before', 'after'];
  return [
    [`#### ${prose(title)}`],
    [
      lineOf(header),
      lineOf(header.map(() => '---')),
      ...shown.flatMap((row) => linesOf(row, hasFields)),
    ],
    ...(hidden > 0 ? [[`${hidden} more are not shown; --json lists all.`]] : []),
  ];
}

/** Returns one line per field. Kind and name are on the first one. */
function linesOf({ kind, name, fields }: Row, hasFields: boolean): string[] {
  const known = fields.length > 0 ? fields : [{ name: '', before: '', after: '' }];
  return known.map((field, index) =>
    lineOf([
      index === 0 ? kind : '',
      index === 0 ? code(name) : '',
      ...(hasFields ? [prose(field.name)] : []),
      code(field.before),
      code(field.after),
    ]),
  );
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function detailsOf({ path, lines }: TextDiff): string[] {
  return [
    `<details><summary>${htmlCodeOf(safeText(path))}</summary>`,
    '',
    ...codeBlock('diff', lines),
    '',
    '</details>',
  ];
}

function prose(text: string): string {
  return proseOf(safeText(text));
}

function code(text: string): string {
  return codeOf(safeText(text));
}

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
