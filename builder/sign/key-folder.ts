import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The pair that signs releases. */
export const releaseKeyName = 'release';

/**
 * Where key pairs are kept unless a person says otherwise: `$XDG_CONFIG_HOME/landfall/keys`, else
 * `~/.config/landfall/keys`. It is outside of every project, so that no project commits a key.
 */
export function keyFolder({ XDG_CONFIG_HOME = '', HOME }: NodeJS.ProcessEnv): string {
  // The XDG base directory specification has relative paths ignored.
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return join(base, 'landfall', 'keys');
}
