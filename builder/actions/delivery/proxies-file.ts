import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { readProxies } from '#proxies/subscription/read.ts';
import { fileError } from '../../files/file-error.ts';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from './server-flags.ts';

/**
 * Reads and checks the file of `--proxies` before anything is sent to the server.
 * @returns the text for `landfall route import`; undefined without the option
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, CONFIG_… with the lines of all problems
 */
export async function proxiesOf(
  { cwd }: Pick<CommandContext, 'cwd'>,
  { proxies }: Pick<ServerFlags, 'proxies'>,
): Promise<string | undefined> {
  if (proxies === undefined) return undefined;
  const path = resolve(cwd, proxies);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  readProxies(bytes, { file: basename(path) });
  return bytes.toString('utf8');
}
