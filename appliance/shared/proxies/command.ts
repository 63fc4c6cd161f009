import { Command, Option } from 'commander';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { ProxiesContext } from './actions/import.ts';

const importHelp: Text = {
  en: `
The source is a file, - for standard input, or a subscription. The URL of a subscription is a secret:
omit it and enter it at the prompt, or pass it on standard input. Without a terminal, standard input
is the default. Formats: links (ss, vmess, vless, trojan, anytls, hysteria, hysteria2, tuic, http,
socks), a list of links in base64, YAML of mihomo, JSON of sing-box or SIP008. Entries that cannot be
imported are left out and counted.

Example:
  landfall route import proxies.yaml
`,
  zh: `
来源是一个文件、-（标准输入）或订阅。订阅链接是机密：不要写在参数里，在提示时
输入，或从标准输入传入。没有终端时，默认读取标准输入。支持的格式：链接（ss、
vmess、vless、trojan、anytls、hysteria、hysteria2、tuic、http、socks）、base64
编码的链接列表、mihomo 的 YAML、sing-box 或 SIP008 的 JSON。不能导入的条目会
跳过并计数。

示例：
  landfall route import proxies.yaml
`,
};

const exportHelp: Text = {
  en: `
The configuration contains a TUN interface, which needs root or an administrator.

Example:
  landfall route export --format mihomo --output config.yaml
`,
  zh: `
配置中包含 TUN 网卡，需要 root 或管理员权限。

示例：
  landfall route export --format mihomo --output config.yaml
`,
};

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
    .addHelpText('after', inLanguage(importHelp))
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
    .addHelpText('after', inLanguage(exportHelp))
    .action(async (flags) => {
      const { exportAction } = await import('./actions/export.ts');
      await exportAction(await contextOf(), flags);
    });
}
