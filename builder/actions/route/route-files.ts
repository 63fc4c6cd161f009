import { join } from 'node:path';
import { configFolder } from '../../files/config-folder.ts';

/** Paths of the files with the proxy of this user; only the user can read them. */
export interface RouteFiles {
  readonly folder: string;
  /** The proxy and its exemptions, for `landfall route`. */
  readonly settings: string;
  /** Sets the variables in any shell. */
  readonly values: string;
  /** The functions for bash and zsh, and for fish. */
  readonly posix: string;
  readonly fish: string;
}

/** Returns the paths: `~/.config/landfall/route/…`. */
export function routeFiles(env: NodeJS.ProcessEnv): RouteFiles {
  const folder = join(configFolder(env), 'landfall', 'route');
  return {
    folder,
    settings: join(folder, 'route.json'),
    values: join(folder, 'values.sh'),
    posix: join(folder, 'functions.sh'),
    fish: join(folder, 'functions.fish'),
  };
}
