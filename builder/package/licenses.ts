import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licenseFiles } from '../licenses/license-files.ts';

/**
 * Returns the license texts of packages, which their terms require in copies.
 * @param folders of the packages, from `root`
 */
export async function licensesOf(root: string, folders: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(
        await readFile(join(root, folder, 'package.json'), 'utf8'),
      ) as { name: string; version: string; license?: string };
      const parts = await licenseFiles(join(root, folder));
      return [`${name} ${version} (${license ?? 'see below'})`, ...parts].join('\n\n').trimEnd();
    }),
  );
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `Packages inside of the files of this folder, with their licenses.${rule}${texts.join(rule)}\n`;
}
