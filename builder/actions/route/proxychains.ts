import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { replaceFile } from '#files/replace-file.ts';
import { proxychainsFile } from '#proxy-settings/proxychains.ts';
import { fileError } from '../../files/file-error.ts';
import type { CommandContext } from '../context.ts';
import { noProxySet } from './no-proxy-set.ts';
import { routeFiles } from './route-files.ts';
import { readRouteSettings } from './route-settings.ts';

/** Options of `landfall route proxychains`. */
export interface ProxychainsFlags {
  readonly output?: string;
}

/**
 * Prints settings of proxychains for the proxy of this user, or writes them to a file that only the
 * user can read. A login is never printed.
 * @throws LandfallError CONFIG_MISSING, CONFIG_INVALID, USAGE
 */
export async function routeProxychainsAction(
  { env, stdout, cwd }: CommandContext,
  { output }: ProxychainsFlags,
): Promise<void> {
  const route = await readRouteSettings(routeFiles(env));
  if (route === undefined) throw noProxySet();
  const text = proxychainsFile(route.url);
  if (output === undefined) {
    if (new URL(route.url).username === '') return void stdout.write(text);
    throw new LandfallError('USAGE', 'the settings contain the password of the proxy', {
      hint: 'Write them to a file with --output, which only you can read.',
    });
  }
  const path = resolve(cwd, output);
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile(path, text, { mode: 0o600 });
  } catch (error) {
    throw fileError(error, path);
  }
  stdout.write(`Run: proxychains4 -f ${path} <command>\n`);
}
