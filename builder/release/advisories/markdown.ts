import { codeOf } from '../../diff/print-markdown.ts';
import type { AdvisoryChange } from './compare-advisories.ts';
import type { Advisory } from './grype-report.ts';

/** A pull request has at most 65,536 characters, and the differences of the lock come first. */
const maxListed = 30;

/** Formats the advisories of an update for a pull request: those that it fixes, adds and leaves. */
export function advisoriesMarkdown(
  changes: readonly AdvisoryChange[],
  skipped: readonly string[],
): string {
  const rows = changes.map(({ component, fixed, added, remaining }) =>
    ['', codeOf(component), fixed.length, added.length, remaining.length, ''].join(' | ').trim(),
  );
  const table =
    rows.length === 0
      ? ['No image was compared.']
      : ['| component | fixed | new | remaining |', '|---|---|---|---|', ...rows];
  return [
    '## Vulnerabilities',
    '',
    ...table,
    ...section('Fixed', changes, ({ fixed }) => fixed),
    ...section('New', changes, ({ added }) => added),
    ...(skipped.length > 0 ? ['', `Not scanned: ${skipped.map(codeOf).join(', ')}.`] : []),
    '',
  ].join('\n');
}

function section(
  title: string,
  changes: readonly AdvisoryChange[],
  select: (change: AdvisoryChange) => readonly Advisory[],
): string[] {
  const lines = changes.flatMap((change) =>
    select(change).map(
      ({ id, severity, package: name }) =>
        `- ${id} (${severity}): ${codeOf(name)} in ${codeOf(change.component)}`,
    ),
  );
  if (lines.length === 0) return [];
  const more = lines.length - maxListed;
  const rest = more > 0 ? [`- and ${more} more`] : [];
  return ['', `### ${title}`, '', ...lines.slice(0, maxListed), ...rest];
}
