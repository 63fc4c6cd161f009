import { stat } from 'node:fs/promises';
import { readText } from '../files.ts';
import type { Host } from '../host.ts';

/**
 * Returns lines of sh that restore a file to its current state, or delete it if it does not exist
 * now. The replacement is atomic. The lines set `failed` on an error such as a full disk. Not for
 * secrets, because the script contains the text.
 * @param path relative to the root folder, without characters that sh treats specially
 * @param mode permissions of the restored file; the current ones by default
 */
export async function restoreScript(host: Host, path: string, mode?: number): Promise<string> {
  const text = await readText(host, path);
  const target = host.path(path);
  if (text === undefined) return `rm -f ${target}\n`;
  const bits = mode ?? (await stat(target)).mode & 0o7777;
  const encoded = Buffer.from(text).toString('base64');
  const unfinished = `${target}.landfall-old`;
  return [
    `{ echo ${encoded} | base64 --decode >${unfinished}; } &&`,
    `  chmod ${bits.toString(8)} ${unfinished} &&`,
    `  mv -f ${unfinished} ${target} ||`,
    `  { rm -f ${unfinished}; failed=yes; }`,
    '',
  ].join('\n');
}
