import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the folder of the user's settings: `$XDG_CONFIG_HOME`, or `~/.config`. */
export function configFolder({ XDG_CONFIG_HOME = '', HOME }: NodeJS.ProcessEnv): string {
  // The XDG base directory specification requires that relative paths are ignored.
  return isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
}
