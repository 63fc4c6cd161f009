import { Command } from 'commander';
import type { CommandContext } from '../actions/context.ts';
import type { SmokeFlags } from '../actions/smoke.ts';

const example = `
Example:
  landfall smoke --site site.yaml
  landfall smoke --site site.yaml --address 203.0.113.7    before the DNS record exists

Tests that need local access are skipped; run \`sudo landfall smoke\` on the server for all tests.
The tests connect to closed ports. After four runs in ten minutes, the server may ban your address
for an hour, unless you are logged in over SSH.
`;

/** `landfall smoke`: tests a running server from outside. */
export function smokeCommand(context: CommandContext): Command {
  return new Command('smoke')
    .description('test a running server from this machine')
    .option('--site <file>', 'site of the server', 'site.yaml')
    .option(
      '--address <address>',
      'address of the server (default: the DNS record of its host name)',
    )
    .option('--json', 'print the results as JSON')
    .option('--junit <file>', 'also write the results as JUnit XML')
    .addHelpText('after', example)
    .action(async (flags: SmokeFlags) => {
      const { smokeAction } = await import('../actions/smoke.ts');
      await smokeAction(context, flags);
    });
}
