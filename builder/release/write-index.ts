import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatKeyId, type PublicKey } from '#contract/trust/keys.ts';
import { meaningOf } from '../hosting/file-meanings.ts';
import { type ListedFile, listFiles, readListed } from './listed-file.ts';

const checksumsName = 'SHA256SUMS';
const pageName = 'index.html';

/**
 * Writes `index.html`, a page of all files with their meaning, and `SHA256SUMS` of all other files.
 * Each file is read once.
 */
export async function writeIndex(folder: string, title: string, key: PublicKey): Promise<void> {
  const files = await listFiles(folder);
  await writeFile(join(folder, pageName), indexPage(title, files, key));
  const all = [...files, await readListed(folder, pageName)];
  const lines = all.map(({ name, sha256 }) => `${sha256}  ${name}\n`).sort(byName);
  await writeFile(join(folder, checksumsName), lines.join(''));
}

function byName(one: string, other: string): number {
  return one.slice(66) < other.slice(66) ? -1 : 1;
}

/** Renders a page without scripts or external content. */
export function indexPage(title: string, files: readonly ListedFile[], key: PublicKey): string {
  const rows = files.map(
    ({ name, size, sha256 }) =>
      `<tr><td>${linkTo(name)}</td><td>${escaped(meaningOf(name))}</td><td>${formatBytes(size)}</td><td><code>${sha256}</code></td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
td, th { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
code { overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>The manifests are signed with the key <code>${formatKeyId(key.id)}</code>. Compare this key id with a
second source, because this page cannot prove it.</p>
<table>
<tr><th>file</th><th>meaning</th><th>size</th><th>SHA-256</th></tr>
${rows.join('\n')}
<tr><td>${linkTo(checksumsName)}</td><td>${escaped(meaningOf(checksumsName))}</td><td></td><td></td></tr>
</table>
</body>
</html>
`;
}

function linkTo(name: string): string {
  return `<a href="${encodeURIComponent(name)}">${escaped(name)}</a>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
