import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Name of the key pair that signs releases. */
export const releaseKeyName = 'release';

/**
 * Returns the default folder of key pairs: `$XDG_CONFIG_HOME/landfall/keys`, or
 * `~/.config/landfall/keys`. It is outside of projects, so that keys are not committed by mistake.
 */
export function keyFolder({ XDG_CONFIG_HOME = '', HOME }: NodeJS.ProcessEnv): string {
  // The XDG base directory specification requires that relative paths are ignored.
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return join(base, 'landfall', 'keys');
}
