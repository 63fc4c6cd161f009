import { Command } from 'commander';
import type { CommandContext } from '../../actions/context.ts';
import type { PushFlags } from '../../actions/delivery/push.ts';
import { withSshOptions } from './ssh-options.ts';

const example = `
Example:
  landfall push debian@203.0.113.7 --release dist

For a server whose site has \`release: push\`: its user-data lets you log in as the user of the
provider's image (root, debian or ubuntu) with the SSH keys of the site, and waits for the bundle.
After an interruption, run the same command again: it goes on where it stopped.
`;

/** `landfall push`: sends the bundle to a server that waits for it. */
export function pushCommand(context: CommandContext): Command {
  const command = new Command('push')
    .description('send the bundle to a server that waits for it')
    .argument('<server>', 'as for ssh: debian@203.0.113.7, or a name of ~/.ssh/config')
    .requiredOption('--release <bundle>', 'the bundle, or the folder of the bundles');
  return withSshOptions(command)
    .option('--quiet', 'print only errors, warnings and the report')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', example)
    .action(async (server: string, flags: PushFlags) => {
      const { pushAction } = await import('../../actions/delivery/push.ts');
      await pushAction(context, server, flags);
    });
}
