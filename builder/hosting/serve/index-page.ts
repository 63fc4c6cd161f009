import { formatBytes } from '#contract/text/format-bytes.ts';
import { meaningOf } from '../file-meanings.ts';
import type { HashedFile } from '../hashed-file.ts';

/** Renders the page of all files, without scripts or external content. Their names need no escapes. */
export function servedIndex(files: readonly HashedFile[]): string {
  const rows = files.map(
    ({ name, size, sha256 }) =>
      `<tr><td><a href="${encodeURIComponent(name)}">${name}</a></td><td>${meaningOf(name)}</td><td>${formatBytes(size)}</td><td><code>${sha256}</code></td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Files of the release</title>
<h1>Files of the release</h1>
<table>
<tr><th>file</th><th>meaning</th><th>size</th><th>SHA-256</th></tr>
${rows.join('\n')}
</table>
</html>
`;
}
