import { Command, Option, type OptionValues } from 'commander';
import type { CommandContext } from '../context.ts';
import { withTrustOptions } from '../options.ts';

const installExample = `
Example:
  landfall install root@203.0.113.7 --site site.yaml --release dist

For a fresh Debian or Ubuntu server on which you can log in as root, or as a user with sudo. The login is
that of your system's ssh: ~/.ssh/config, agents, jump hosts and passwords work, and so do its checks of
host keys. The bundle goes through this connection, and the server verifies it as after a paste.
After an interruption, run the same command again: it goes on where it stopped.
`;

/** `landfall install`: sets up a server over SSH. */
export function installCommand(context: CommandContext) {
  const command = new Command('install')
    .description('set up a server over SSH')
    .argument('<server>', 'as for ssh: root@203.0.113.7, or a name of ~/.ssh/config')
    .option('--site <file>', 'path of the site', 'site.yaml')
    .option('--release <file...>', 'bundles of one release, or their folder');
  return withSshOptions(
    withTrustOptions(command).option(
      '--allow-route-password',
      'allow a proxy password in route.url',
    ),
  )
    .option('--yes', 'do not ask before the server is changed')
    .addHelpText('after', installExample)
    .action(async (server, flags) => {
      const { installOn } = await import('./install.ts');
      await installOn(context, server, flags);
    });
}

const pushExample = `
Example:
  landfall push debian@203.0.113.7 --release dist
  landfall push --update ops@203.0.113.7 --release dist

For a server whose site has \`release: push\`: its user-data lets you log in as the user of the
provider's image (root, debian or ubuntu) with the SSH keys of the site, and waits for the bundle.
With --update, for a server that is installed: only files that it does not have are sent, and
\`landfall update\` runs there. It verifies the bundle with the keys of the server, and asks here.
After an interruption, run the same command again: it goes on where it stopped.
`;

/** `landfall push`: sends the bundle to a server that waits for it. */
export function pushCommand(context: CommandContext) {
  const command = new Command('push')
    .description('send the bundle to a server that waits for it, or update a server')
    .argument('<server>', 'as for ssh: debian@203.0.113.7, or a name of ~/.ssh/config')
    .requiredOption('--release <bundle>', 'the bundle, or the folder of the bundles')
    .addOption(
      new Option('--update', 'update a server that is installed').conflicts([
        'proxies',
        'strict',
        'restore',
      ]),
    )
    .option('--yes', 'with --update: do not ask')
    .option('--retry', 'with --update: try a release again that was rolled back');
  return withSshOptions(command)
    .addHelpText('after', pushExample)
    .action(async (server, flags) => {
      if (flags.update) {
        const { pushUpdate } = await import('./push-update.ts');
        return await pushUpdate(context, server, flags);
      }
      const { pushTo } = await import('./push.ts');
      await pushTo(context, server, flags);
    });
}

const siteExample = `
Example:
  landfall site push ops@203.0.113.7 --site site.yaml

For a server that is installed. It shows what changes and asks, applies the site, and goes back to the
earlier one if it does not work. The file on this computer stays yours: the server gets a copy with its
comments.
`;

/** `landfall site`: changes the site of a server over SSH. */
export function siteCommand(context: CommandContext) {
  const push = new Command('push')
    .description('send site.yaml to a server that is installed, and apply it')
    .argument('<server>', 'as for ssh: ops@203.0.113.7, or a name of ~/.ssh/config')
    .option('--site <file>', 'path of the site', 'site.yaml')
    .option('--allow-route-password', 'allow a proxy password in route.url')
    .option('--yes', 'do not ask before the server is changed')
    .option('--json', 'with --yes: print the result as JSON');
  const site = withLoginOptions(push)
    .addHelpText('after', siteExample)
    .action(async (server, flags) => {
      const { pushSite } = await import('./push-site.ts');
      await pushSite(context, server, flags);
    });
  return new Command('site').description('change the site of a server').addCommand(site);
}

/** Adds the options of commands that log in to a server. */
function withLoginOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .option('--identity <file>', 'private key for the login')
    .option('--jump <host>', 'jump host, as for ssh -J')
    .option('--ssh-proxy <url>', 'HTTP or SOCKS5 proxy for the connection')
    .option('--ssh-config <file>', 'configuration of ssh (default: ~/.ssh/config)');
}

/** Adds the options of commands that set a server up over SSH. */
function withSshOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  const settings = command
    .option('--proxies <file>', 'proxies for a site with route.mode client, as for route import')
    .option('--restore', 'for a site with restore: restore the backup on this terminal')
    .option('--strict', 'with --proxies: fail at any problem instead of leaving entries out');
  return withLoginOptions(settings)
    .addOption(
      new Option('--quiet', 'print only errors, warnings and the report').conflicts(['restore']),
    )
    .addOption(new Option('--json', 'print the report as JSON').conflicts(['restore']));
}
