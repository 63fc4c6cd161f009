import type { Command } from 'commander';

/** Adds the options of commands that log in to a server. */
export function withSshOptions(command: Command): Command {
  return command
    .option('--identity <file>', 'private key for the login')
    .option('--jump <host>', 'jump host, as for ssh -J')
    .option('--ssh-proxy <url>', 'HTTP or SOCKS5 proxy for the connection')
    .option('--ssh-config <file>', 'configuration of ssh (default: ~/.ssh/config)');
}
