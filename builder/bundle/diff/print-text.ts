import type { Paint } from '#contract/text/paint.ts';
import { alignRows } from '#contract/text/table.ts';
import { type Report, type Row, type Section, safeText } from './report.ts';

const marks = { added: '+', removed: '-', changed: '~' } as const;
const colours = { '+': 'green', '-': 'red', '~': 'yellow' } as const;

/** Renders a report for a terminal: aligned columns, a line per differing field. */
export function printText(report: Report, paint: Paint): string {
  const { title, summary, sections, notes } = report;
  return [
    paint('bold', safeText(title)),
    ...summary.map(safeText),
    ...sections.flatMap((section) => ['', ...sectionLines(section, paint)]),
    ...(notes.length > 0 ? ['', ...notes.map((note) => paint('dim', safeText(note)))] : []),
    '',
  ].join('\n');
}

function sectionLines({ title, rows }: Section, paint: Paint): string[] {
  const hasFields = rows.some(({ fields }) => fields.some(({ name }) => name !== ''));
  const cells = rows.flatMap((row) => rowCells(row, hasFields));
  const lines = alignRows(cells.map(({ texts }) => texts));
  return [
    paint('bold', safeText(title)),
    ...lines.map((line, index) => {
      const mark = marks[cells[index]?.kind ?? 'changed'];
      // Only the mark of a changed item is coloured, because its line has both values.
      return mark === '~'
        ? line.replace(/^ {2}~/, `  ${paint(colours[mark], mark)}`)
        : paint(colours[mark], line);
    }),
  ];
}

/** Returns one line of cells per field. Mark and name are on the first one. */
function rowCells(
  { kind, name, fields }: Row,
  hasFields: boolean,
): { readonly kind: Row['kind']; readonly texts: string[] }[] {
  const known = fields.length > 0 ? fields : [{ name: '', before: '', after: '' }];
  return known.map((field, index) => {
    const values =
      kind === 'changed'
        ? [field.before || '(none)', '→', field.after || '(none)']
        : [field.before || field.after];
    const start = index === 0 ? [`  ${marks[kind]}`, safeText(name)] : ['', ''];
    const texts = [...start, ...(hasFields ? [field.name] : []), ...values];
    return { kind, texts: [texts[0] ?? '', ...texts.slice(1).map(safeText)] };
  });
}
