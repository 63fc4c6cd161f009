import { withCandidate } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';

const candidate = 'run/landfall/redirect-candidate';

/** Checks a file of rules with nft without loading it. @throws LandfallError COMMAND_FAILED */
export async function verifyRules(host: Host, text: string): Promise<void> {
  await withCandidate(host, candidate, { text }, (path) =>
    host.run('nft', ['--check', '--file', path]),
  );
}

/** Checks settings of redsocks with its own parser. @throws LandfallError COMMAND_FAILED */
export async function verifyRedsocks(host: Host, text: string): Promise<void> {
  await withCandidate(host, candidate, { text }, (path) =>
    host.run('redsocks', ['-t', '-c', path]),
  );
}
