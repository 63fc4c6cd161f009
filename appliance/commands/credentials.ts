import { LandfallError } from '#contract/errors.ts';
import type { Credential, CredentialSource } from '../host/credential.ts';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { loadFacts } from '../load-facts.ts';
import { stackCredentials } from '../secrets/credentials.ts';
import { consoleCredentials } from '../users/credentials.ts';
import type { Command } from './command.ts';
import { readFlags } from './read-flags.ts';
import { releaseFolder } from './release-folder.ts';

/** In the order in which people are shown them. */
const sources: readonly CredentialSource[] = [consoleCredentials, stackCredentials];

export const credentialsCommand: Command = {
  summary: 'show the passwords and keys that were made here',
  usage: '[--json]',
  example: 'sudo landfall credentials',
  root: true,
  run: async (args) => {
    const { json } = readFlags('credentials', args, ['json']);
    if (!json && !process.stdout.isTTY) {
      throw new LandfallError('USAGE', 'the credentials would not go to a terminal', {
        hint: 'Files and pipes keep what they are given. If that is what you want: sudo landfall credentials --json',
      });
    }
    const { host, site } = await loadFacts(new Host('/', runCommand), await releaseFolder());
    const credentials = (await Promise.all(sources.map((source) => source(host, site)))).flat();
    console.log(json ? JSON.stringify(credentials, null, 2) : describeCredentials(credentials));
  },
};

/** One line each, the values in a column of their own, so that they can be taken whole. */
export function describeCredentials(credentials: readonly Credential[]): string {
  if (credentials.length === 0) {
    return 'Nothing secret was made here yet. How far the first boot is: landfall status';
  }
  const width = Math.max(...credentials.map(({ title }) => title.length));
  return credentials
    .flatMap(({ title, value, note }) => [
      `${title.padEnd(width)}  ${value}`,
      ...(note ? [`${' '.repeat(width)}  (${note})`] : []),
    ])
    .join('\n');
}
