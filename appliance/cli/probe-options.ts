import type { Command } from 'commander';

/** Adds the options of `landfall probe` that both command lines have. */
export function withProbeOptions(command: Command, defaultProxy: string): Command {
  return command
    .option('--proxy <url>', `compare with this proxy (default: ${defaultProxy})`)
    .option('--resolver <url>', 'resolver with DNS over HTTPS', 'https://1.1.1.1/dns-query')
    .option('--echo <url>', 'service that returns the egress address', 'https://ipinfo.io/ip')
    .option('--json', 'print the result as JSON');
}
