import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

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
      const files = (await readdir(join(root, folder)))
        .filter((file) => fileName.test(file))
        .sort();
      const parts = await Promise.all(
        files.map((file) => readFile(join(root, folder, file), 'utf8')),
      );
      return [`${name} ${version} (${license ?? 'see below'})`, ...parts].join('\n\n').trimEnd();
    }),
  );
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return `Packages inside of the files of this folder, with their licenses.${rule}${texts.join(rule)}\n`;
}
