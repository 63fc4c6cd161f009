import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { refuseOtherOwner } from '#editor/file-access.ts';
import { fileError } from '../../files/file-error.ts';
import type { CommandContext } from '../context.ts';
import { removeBlock, requireEditable } from './edit-startup-file.ts';
import { routeFiles } from './route-files.ts';
import { startupFiles } from './startup-files.ts';

/**
 * Removes the proxy of this user from the startup files.
 * @throws LandfallError FILE_ACCESS, CONFIG_INVALID for a damaged startup file; nothing is changed then
 */
export async function routeOffAction(
  { env, stdout }: CommandContext,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const files = routeFiles(env);
  const restored: string[] = [];
  const starts = startupFiles(env, files);
  await refuseOtherOwner(files.folder);
  for (const { path } of starts) await requireEditable(path);
  for (const { path } of starts) {
    const found = await removeBlock(path).catch((error: unknown) => {
      throw fileError(error, path);
    });
    if (found) restored.push(path);
  }
  const wasSet = restored.length > 0 || existsSync(files.folder);
  await rm(files.folder, { recursive: true, force: true });
  if (json) return void stdout.write(`${JSON.stringify({ wasSet, restored })}\n`);
  const list = restored.map((path) => `  ${path}\n`).join('');
  stdout.write(
    !wasSet
      ? 'No proxy was set.\n'
      : `New shells use no proxy of Landfall.\n${list && `Restored:\n${list}`}In open shells, run: proxy_off\n`,
  );
}
