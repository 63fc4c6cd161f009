import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { releasesFolder } from '#contract/server-paths.ts';

/**
 * Returns the folder of the installed release that contains this program. Fails for a program in a
 * checkout, so that it does not change the developer's machine.
 * @throws LandfallError USAGE
 */
export async function releaseFolder(): Promise<string> {
  const program = await realpath(process.argv[1] ?? '.');
  const folder = join(dirname(program), '..');
  if (dirname(folder) === `/${releasesFolder}`) return folder;
  throw new LandfallError('USAGE', `this program is not part of an installed release: ${program}`, {
    hint: `Run the program in /${releasesFolder} on a server.`,
  });
}
