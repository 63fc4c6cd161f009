import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { releasesFolder } from '#contract/server-paths.ts';

/**
 * Returns the release of a program for `--version`: `1.2.0-amd64`, the name of its folder.
 * @param script path of the program as called
 */
export function releaseVersion(script: string): string {
  const folder = dirname(dirname(resolved(script)));
  return dirname(folder) === `/${releasesFolder}` ? basename(folder) : 'no installed release';
}

/** Resolves symbolic links. Returns the path on an error, so that help still works. */
function resolved(script: string): string {
  try {
    return realpathSync(script);
  } catch {
    return script;
  }
}
