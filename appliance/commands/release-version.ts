import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { releasesFolder } from '#contract/server-paths.ts';

/**
 * Returns the release of a program as `--version` prints it: `1.2.0-amd64`, the name of its folder.
 * @param script the path that the program was started with
 */
export function releaseVersion(script: string): string {
  const folder = dirname(dirname(resolved(script)));
  return dirname(folder) === `/${releasesFolder}` ? basename(folder) : 'no installed release';
}

/** Help must also work where the path cannot be read. */
function resolved(script: string): string {
  try {
    return realpathSync(script);
  } catch {
    return script;
  }
}
