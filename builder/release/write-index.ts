import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatKeyId, type PublicKey } from '#contract/trust/keys.ts';
import { sha256OfFile } from '../files/sha256-of-file.ts';
import { indexPage } from '../hosting/index-page.ts';

const checksumsName = 'SHA256SUMS';
const pageName = 'index.html';

/**
 * Writes `index.html`, a page of all files with their meaning, and `SHA256SUMS` of all other files.
 * Each file is read once.
 */
export async function writeIndex(folder: string, title: string, key: PublicKey): Promise<void> {
  const files = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    files.push({ name, size: (await stat(path)).size, sha256: await sha256OfFile(path) });
  }
  const intro = `<p>The manifests are signed with the key <code>${formatKeyId(key.id)}</code>. Compare this key id with a
second source, because this page cannot prove it.</p>
`;
  const page = join(folder, pageName);
  await writeFile(page, indexPage(title, [...files, { name: checksumsName }], intro));
  const lines = [...files, { name: pageName, sha256: await sha256OfFile(page) }]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  await writeFile(join(folder, checksumsName), lines.join(''));
}
