import { join } from 'node:path';
import type { ProxiesContext } from '#proxies/actions/import.ts';
import { configFolder } from '../../files/config-folder.ts';
import { askPassphrase } from '../ask-passphrase.ts';
import type { CommandContext } from '../context.ts';
import { readCa } from '../read-ca.ts';

/**
 * Returns the context of the import of proxies. The file is not in the folder of `landfall route on`,
 * which `landfall route off` removes.
 */
export async function proxiesContext(context: CommandContext): Promise<ProxiesContext> {
  const { stdout, stderr, stdin, cwd, env, interactive } = context;
  return {
    ...{ stdout, stderr, stdin, cwd },
    file: join(configFolder(env), 'landfall', 'proxies.json'),
    network: { env, ca: await readCa(context, undefined) },
    askSecret: interactive ? askPassphrase : undefined,
    next: undefined,
    command: 'landfall route',
  };
}
