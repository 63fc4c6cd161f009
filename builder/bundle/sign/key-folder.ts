import { join } from 'node:path';
import { configFolder } from '../../base/files/user-folders.ts';

/** Name of the key pair that signs releases. */
export const releaseKeyName = 'release';

/**
 * Returns the default folder of key pairs: `$XDG_CONFIG_HOME/landfall/keys`, or
 * `~/.config/landfall/keys`. It is outside of projects, so that keys are not committed by mistake.
 */
export function keyFolder(env: NodeJS.ProcessEnv): string {
  return join(configFolder(env), 'landfall', 'keys');
}
