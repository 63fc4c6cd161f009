import type { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { collect } from './repeatable.ts';

/** Adds the options to a command. */
export function withNetworkOptions(command: Command): Command {
  return command
    .option('--store <folder>', 'folder of the blob store (default: the user cache folder)')
    .option('--mirror <registry=url>', 'try this mirror first; repeatable', collect, [])
    .option('--proxy <url>', 'use this proxy for all connections (default: HTTPS_PROXY)')
    .option(
      '--ca <file>',
      'also trust the certificate authorities in this PEM file (default: REQUESTS_CA_BUNDLE)',
    )
    .option('--concurrency <n>', 'number of parallel downloads (default: 12)', wholeNumber)
    .option('--quiet', 'print only errors')
    .option('--json', 'print the result as JSON');
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 64) return number;
  throw new LandfallError('USAGE', `--concurrency ${text} is not a whole number from 1 to 64`, {
    hint: 'Leave it out to use the default of 12.',
  });
}
