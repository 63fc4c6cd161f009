import { Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import { withTrustOptions } from '../options.ts';
import type { InstallFlags } from './install.ts';
import type { PushFlags } from './push.ts';

const installExample = `
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
    .option('--release <file...>', 'bundles of one release, or their folder');
  withTrustOptions(command).option('--allow-route-password', 'allow a proxy password in route.url');
  return withSshOptions(command)
    .option('--yes', 'do not ask before the server is changed')
    .addHelpText('after', installExample)
    .action(async (server: string, flags: InstallFlags) => {
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
export function pushCommand(context: CommandContext): Command {
  const command = new Command('push')
    .description('send the bundle to a server that waits for it, or update a server')
    .argument('<server>', 'as for ssh: debian@203.0.113.7, or a name of ~/.ssh/config')
    .requiredOption('--release <bundle>', 'the bundle, or the folder of the bundles')
    .addOption(
      new Option('--update', 'update a server that is installed').conflicts(['proxies', 'strict']),
    )
    .option('--yes', 'with --update: do not ask')
    .option('--retry', 'with --update: try a release again that was rolled back');
  return withSshOptions(command)
    .addHelpText('after', pushExample)
    .action(async (server: string, flags: PushFlags) => {
      if (flags.update) {
        const { pushUpdate } = await import('./push-update.ts');
        return await pushUpdate(context, server, flags);
      }
      const { pushTo } = await import('./push.ts');
      await pushTo(context, server, flags);
    });
}

/** Adds the options of commands that set a server up over SSH. */
function withSshOptions(command: Command): Command {
  return command
    .option('--proxies <file>', 'proxies for a site with route.mode client, as for route import')
    .option('--strict', 'with --proxies: fail at any problem instead of leaving entries out')
    .option('--identity <file>', 'private key for the login')
    .option('--jump <host>', 'jump host, as for ssh -J')
    .option('--ssh-proxy <url>', 'HTTP or SOCKS5 proxy for the connection')
    .option('--ssh-config <file>', 'configuration of ssh (default: ~/.ssh/config)')
    .option('--quiet', 'print only errors, warnings and the report')
    .option('--json', 'print the report as JSON');
}

/** `landfall ssh-through-proxy`: the ProxyCommand of `--ssh-proxy`, which only ssh runs. */
export function sshThroughProxyCommand({ stdin, stdout, env }: CommandContext): Command {
  return new Command('ssh-through-proxy')
    .description('connect standard input and output to a server through a proxy')
    .argument('<host>')
    .argument('<port>')
    .action(async (host: string, port: string) => {
      const { sshProxyVariable, throughProxy } = await import('../../ssh/through-proxy.ts');
      const target = { host, port: Number(port) };
      await throughProxy(target, env[sshProxyVariable] ?? '', { stdin, stdout });
    });
}
