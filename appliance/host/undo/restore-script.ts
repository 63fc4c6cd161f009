import { stat } from 'node:fs/promises';
import { readText } from '../files.ts';
import type { Host } from '../host.ts';

/**
 * Lines of sh that put a file back as it is now, or take it away where there is none now. They leave
 * the old file or the new one, never half of one, and set `failed` where they could not, as on a
 * full disk. For text without secrets: it lies in the script.
 * @param path from the root folder, without a leading slash, and without odd characters
 * @param mode permissions to put it back with; those that it has when not given
 */
export async function restoreScript(host: Host, path: string, mode?: number): Promise<string> {
  const text = await readText(host, path);
  const place = host.path(path);
  if (text === undefined) return `rm -f ${place}\n`;
  const bits = mode ?? (await stat(place)).mode & 0o7777;
  const encoded = Buffer.from(text).toString('base64');
  const unfinished = `${place}.landfall-old`;
  return [
    `{ echo ${encoded} | base64 --decode >${unfinished}; } &&`,
    `  chmod ${bits.toString(8)} ${unfinished} &&`,
    `  mv -f ${unfinished} ${place} ||`,
    `  { rm -f ${unfinished}; failed=yes; }`,
    '',
  ].join('\n');
}
