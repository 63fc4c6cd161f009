import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { formatTable } from '#contract/text/table.ts';
import { summaryRows } from '#proxies/actions/result.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import type { ProxyImport } from '../../delivery/send-proxies.ts';
import { fileError } from '../../files/file-error.ts';
import type { CommandContext } from '../context.ts';
import type { ServerFlags } from './server-flags.ts';

/**
 * Reads and checks the file of `--proxies` before anything is sent to the server. Prints what is
 * imported and what is left out.
 * @returns the input of `landfall route import`; undefined without the option
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, CONFIG_… with the lines of all problems
 */
export async function proxiesOf(
  { cwd, stderr }: Pick<CommandContext, 'cwd' | 'stderr'>,
  { proxies, strict = false }: Pick<ServerFlags, 'proxies' | 'strict'>,
): Promise<ProxyImport | undefined> {
  if (proxies === undefined) return undefined;
  const path = resolve(cwd, proxies);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  const { settings, report } = readProxies(bytes, {
    file: basename(path),
    strict,
    deadline: Date.now() + 120_000,
  });
  stderr.write(`${formatTable(summaryRows(settings.proxies, report))}\n`);
  return { text: bytes.toString('utf8'), strict };
}
