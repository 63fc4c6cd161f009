import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the folder of what programs remember: `$XDG_STATE_HOME`, or `~/.local/state`. */
export function stateFolder({ XDG_STATE_HOME = '', HOME }: NodeJS.ProcessEnv): string {
  // The XDG base directory specification requires that relative paths are ignored.
  if (isAbsolute(XDG_STATE_HOME)) return XDG_STATE_HOME;
  return join(HOME || homedir(), '.local', 'state');
}
