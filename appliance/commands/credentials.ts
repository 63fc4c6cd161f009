import type { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { formatTable } from '#contract/text/table.ts';
import type { Credential, CredentialSource } from '../host/credential.ts';
import { stackCredentials } from '../secrets/credentials.ts';
import { consoleCredentials } from '../users/credentials.ts';
import type { JsonFlag } from './json-flag.ts';
import { rootCommand } from './root-command.ts';
import { serverFacts } from './server-facts.ts';

/** In the order in which people are shown them. */
const sources: readonly CredentialSource[] = [consoleCredentials, stackCredentials];

const example = `
Example:
  sudo landfall credentials
`;

/** `landfall credentials`: shows the passwords and keys that were created on this server. */
export function credentialsCommand(): Command {
  return rootCommand('credentials')
    .description('show the passwords and keys that were created here')
    .option('--json', 'print them as JSON, also to a file or a pipe')
    .addHelpText('after', example)
    .action(showCredentials);
}

async function showCredentials({ json }: JsonFlag): Promise<void> {
  if (!json && !process.stdout.isTTY) {
    throw new LandfallError('USAGE', 'the credentials would not go to a terminal', {
      hint: 'Files and pipes keep what they are given. If that is what you want: sudo landfall credentials --json',
    });
  }
  const { host, site } = await serverFacts();
  const credentials = (await Promise.all(sources.map((source) => source(host, site)))).flat();
  console.log(json ? JSON.stringify(credentials, null, 2) : describeCredentials(credentials));
}

/** One line each, the values in a column of their own, so that they can be taken whole. */
export function describeCredentials(credentials: readonly Credential[]): string {
  if (credentials.length === 0) {
    return 'Nothing secret was made here yet. How far the first boot is: landfall status';
  }
  return formatTable(
    credentials.flatMap(({ title, value, note }) => [
      [title, value],
      ...(note ? [['', `(${note})`]] : []),
    ]),
  );
}
