import { formatBytes } from '#contract/text/amount.ts';
import { escapeHtml } from '#contract/text/plain-line.ts';
import { meaningOf } from './file-meanings.ts';

/** A file of a page. */
interface ListedFile {
  readonly name: string;
  /** Bytes; undefined for a file that lists this page. */
  readonly size?: number;
  /** 64 hex digits. */
  readonly sha256?: string;
}

/**
 * Renders a page of all files with their meaning, without scripts or external content.
 * @param intro HTML above the table
 */
export function indexPage(title: string, files: readonly ListedFile[], intro = ''): string {
  const rows = files.map(({ name, size, sha256 = '' }) => {
    const link = `<a href="${name.split('/').map(encodeURIComponent).join('/')}">${escapeHtml(name)}</a>`;
    const cells = [link, escapeHtml(meaningOf(name)), size === undefined ? '' : formatBytes(size)];
    return `<tr>${[...cells, `<code>${sha256}</code>`].map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
td, th { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
code { overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${intro}<table>
<tr><th>file</th><th>meaning</th><th>size</th><th>SHA-256</th></tr>
${rows.join('\n')}
</table>
</body>
</html>
`;
}
