import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { quoted } from '#proxy-settings/quoted.ts';
import { configFolder } from '../../files/config-folder.ts';
import type { RouteFiles } from './route-files.ts';

/** A file that a shell reads when it starts. */
export interface StartupFile {
  readonly path: string;
  /** Reads the functions of `landfall route`. */
  readonly lines: string;
}

/** Returns the startup files that exist, and that of the user's login shell. */
export function startupFiles(env: NodeJS.ProcessEnv, files: RouteFiles): StartupFile[] {
  const home = env.HOME || homedir();
  const posix = `if [ -r ${quoted(files.posix)} ]; then . ${quoted(files.posix)}; fi\n`;
  const fish = `if test -r ${quoted(files.fish)}; source ${quoted(files.fish)}; end\n`;
  const all = {
    bash: { path: join(home, '.bashrc'), lines: posix },
    zsh: { path: join(env.ZDOTDIR || home, '.zshrc'), lines: posix },
    fish: { path: join(configFolder(env), 'fish', 'config.fish'), lines: fish },
  };
  const own = basename(env.SHELL ?? '');
  return Object.entries(all)
    .filter(([shell, { path }]) => shell === own || existsSync(path))
    .map(([, file]) => file);
}
