import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { type Facts, loadFacts } from '../load-facts.ts';
import { releaseFolder } from './release-folder.ts';

/**
 * Reads the site and the release of this server and inspects it, for the release of this program.
 * @throws LandfallError USAGE outside of an installed release; STATE_INVALID, BUNDLE_MANIFEST
 */
export async function serverFacts(): Promise<Facts> {
  return loadFacts(new Host('/', runCommand), await releaseFolder());
}
