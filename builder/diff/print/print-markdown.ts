import type { Report, Row, Section, TextDiff } from '../report.ts';
import { safeText } from '../safe-text.ts';
import { codeBlock, codeOf, htmlCodeOf, proseOf } from './escape-markdown.ts';

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
