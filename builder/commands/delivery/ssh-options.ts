import type { Command } from 'commander';

/** Adds the options of commands that set a server up over SSH. */
export function withSshOptions(command: Command): Command {
  return command
    .option('--proxies <file>', 'proxies for a site with route.mode client, as for route import')
    .option('--strict', 'with --proxies: fail at any problem instead of leaving entries out')
    .option('--identity <file>', 'private key for the login')
    .option('--jump <host>', 'jump host, as for ssh -J')
    .option('--ssh-proxy <url>', 'HTTP or SOCKS5 proxy for the connection')
    .option('--ssh-config <file>', 'configuration of ssh (default: ~/.ssh/config)');
}
