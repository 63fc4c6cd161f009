import { Command, Option } from 'commander';
import type { ProxiesContext } from './actions/import.ts';

const importHelp = `
The source is a file, - for standard input, or a subscription. The URL of a subscription is a secret:
omit it and enter it at the prompt, or pass it on standard input. Without a terminal, standard input
is the default. Formats: links (ss, vmess, vless, trojan, anytls, hysteria, hysteria2, tuic, http,
socks), a list of links in base64, YAML of mihomo, JSON of sing-box or SIP008. Entries that cannot be
imported are left out and counted.

Example:
  landfall route import proxies.yaml
`;

const exportHelp = `
The configuration contains a TUN interface, which needs root or an administrator.

Example:
  landfall route export --format mihomo --output config.yaml
`;

type ContextOf = () => ProxiesContext | Promise<ProxiesContext>;

/** Returns `landfall route import`, which the builder and the server share. */
export function importCommand(contextOf: ContextOf) {
  return new Command('import')
    .description('import proxies from a file or a subscription')
    .argument('[source]', 'a file, - or an https URL')
    .option('--refresh', 'fetch the imported subscription again')
    .option('--user-agent <name>', 'the client that the provider of a subscription sees')
    .option('--details', 'list every entry that is left out, with its line')
    .option('--strict', 'fail at any problem instead of leaving entries out')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', importHelp)
    .action(async (source, flags) => {
      const { importAction } = await import('./actions/import.ts');
      await importAction(await contextOf(), source, flags);
    });
}

/** Returns `landfall route export`, which the builder and the server share. */
export function exportCommand(contextOf: ContextOf) {
  return new Command('export')
    .description('write the imported proxies as a configuration of mihomo or sing-box')
    .addOption(
      new Option('--format <name>', 'program that reads the file')
        .choices(['mihomo', 'sing-box'])
        .makeOptionMandatory(),
    )
    .requiredOption('--output <path>', 'file that only you can read; - prints it')
    .option('--allow-lan', 'accept connections of other hosts if the source asks for it')
    .addHelpText('after', exportHelp)
    .action(async (flags) => {
      const { exportAction } = await import('./actions/export.ts');
      await exportAction(await contextOf(), flags);
    });
}
