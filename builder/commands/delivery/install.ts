import { Command } from 'commander';
import type { CommandContext } from '../../actions/context.ts';
import type { InstallFlags } from '../../actions/delivery/install.ts';
import { collect } from '../repeatable.ts';
import { withSshOptions } from './ssh-options.ts';

const example = `
Example:
  landfall install root@203.0.113.7 --site site.yaml --release dist

For a fresh Debian or Ubuntu server on which you can log in as root, or as a user with sudo. The login is
that of your system's ssh: ~/.ssh/config, agents, jump hosts and passwords work, and so do its checks of
host keys. The bundle goes through this connection, and the server verifies it as after a paste.
After an interruption, run the same command again: it goes on where it stopped.
`;

/** `landfall install`: sets up a server over SSH. */
export function installCommand(context: CommandContext): Command {
  const command = new Command('install')
    .description('set up a server over SSH')
    .argument('<server>', 'as for ssh: root@203.0.113.7, or a name of ~/.ssh/config')
    .option('--site <file>', 'path of the site', 'site.yaml')
    .option('--release <file...>', 'bundles of one release, or their folder')
    .option('--key <file>', 'trusted public key; repeatable', collect, [])
    .option('--recovery-key <file>', 'trusted recovery key')
    .option('--accept-new-keys', 'trust the keys that the release announces')
    .option('--allow-route-password', 'allow a proxy password in route.url');
  return withSshOptions(command)
    .option('--yes', 'do not ask before the server is changed')
    .option('--quiet', 'print only errors, warnings and the report')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', example)
    .action(async (server: string, flags: InstallFlags) => {
      const { installAction } = await import('../../actions/delivery/install.ts');
      await installAction(context, server, flags);
    });
}
