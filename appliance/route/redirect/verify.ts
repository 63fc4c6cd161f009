import { removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';

const candidate = 'run/landfall/redirect-candidate';

/** Checks a file of rules with nft without loading it. @throws LandfallError COMMAND_FAILED */
export async function verifyRules(host: Host, text: string): Promise<void> {
  await verified(host, text, 'nft', ['--check', '--file']);
}

/** Checks settings of redsocks with its own parser. @throws LandfallError COMMAND_FAILED */
export async function verifyRedsocks(host: Host, text: string): Promise<void> {
  await verified(host, text, 'redsocks', ['-t', '-c']);
}

async function verified(host: Host, text: string, program: string, args: readonly string[]) {
  await writeText(host, candidate, text, { mode: 0o600 });
  try {
    await host.run(program, [...args, host.path(candidate)]);
  } finally {
    await removeFile(host, candidate);
  }
}
