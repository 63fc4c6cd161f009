import { type Report, type Row, type Section, safeText } from './report.ts';

/** Rows per table. GitHub rejects descriptions of more than 65,536 characters. */
const maxRows = 100;

/** Renders a report in GitHub Flavored Markdown, for pull requests and release notes. */
export function printMarkdown({ title, summary, sections, notes }: Report): string {
  const blocks = [
    [`### ${prose(title)}`],
    ...summary.map((sentence) => [prose(sentence)]),
    ...sections.flatMap(tableOf),
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
