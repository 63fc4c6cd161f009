import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the folder of the user's settings: `$XDG_CONFIG_HOME`, or `~/.config`. */
export function configFolder({ XDG_CONFIG_HOME = '', HOME }: NodeJS.ProcessEnv): string {
  // The XDG base directory specification requires that relative paths are ignored.
  return isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
}

/** Returns the folder of what programs remember: `$XDG_STATE_HOME`, or `~/.local/state`. */
export function stateFolder({ XDG_STATE_HOME = '', HOME }: NodeJS.ProcessEnv): string {
  // The XDG base directory specification requires that relative paths are ignored.
  if (isAbsolute(XDG_STATE_HOME)) return XDG_STATE_HOME;
  return join(HOME || homedir(), '.local', 'state');
}
