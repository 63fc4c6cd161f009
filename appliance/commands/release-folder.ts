import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { releasesFolder } from '#contract/server-paths.ts';

/**
 * The folder of the release that this program belongs to. A program that lies anywhere else, such
 * as in a checkout on a laptop, gets none: it must not set up the machine of the person who tries it.
 * @throws LandfallError USAGE
 */
export async function releaseFolder(): Promise<string> {
  const program = await realpath(process.argv[1] ?? '.');
  const folder = join(dirname(program), '..');
  if (dirname(folder) === `/${releasesFolder}`) return folder;
  throw new LandfallError('USAGE', `this program is not that of an installed release: ${program}`, {
    hint: `On a server it lies below /${releasesFolder}, where the bootstrap puts it.`,
  });
}
