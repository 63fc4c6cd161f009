import { Command, Option } from 'commander';
import { architectures } from '#contract/bundle/release-name.ts';
import { selectableComponents } from '#contract/component-names.ts';
import { knownProviders } from '#contract/known-providers.ts';
import { mirrorPresetNames } from '#contract/mirror-presets.ts';
import { inLanguage, languages } from '#contract/text/language.ts';
import type { CommandContext } from './context.ts';
import { serverMemories } from './init/server-sizes.ts';
import { tlsModes } from './init/tls-modes.ts';
import { collect, repeatable } from './options.ts';

const example = {
  en: `
Example:
  landfall init my-server                     prompts for the required values
  landfall init my-server --ssh-key ~/.ssh/id_ed25519.pub \\
    --release-url https://downloads.example.com/landfall/ \\
    --ui-host chat.example.com --email me@example.com --accept-terms

A package that was published with a release offers that release: it needs no lock, build, key or
upload, so only site.yaml is written. For a release of your own, add --own-release or --release-url.
`,
  zh: `
示例：
  landfall init my-server                     逐项提问
  landfall init my-server --ssh-key ~/.ssh/id_ed25519.pub \\
    --release-url https://downloads.example.com/landfall/ \\
    --ui-host chat.example.com --email me@example.com --accept-terms

如果软件包附带已发布的版本，就会采用它：不需要 lock、build、密钥和上传，只写入 site.yaml。
要用自己的版本，请加上 --own-release 或 --release-url。
`,
};

/** `landfall init`: creates site.yaml, and appliance.yaml for a release of the user. */
export function initCommand(context: CommandContext) {
  return new Command('init')
    .description('create site.yaml, and appliance.yaml for your own release')
    .argument('[folder]', 'output folder', '.')
    .option('--own-release', 'build your own release instead of using the published one')
    .option('--release-url <url>', 'URL of the folder that will contain your own release, or push')
    .option(
      '--ssh-key <key>',
      'SSH public key that may log in, as a file or a line; repeatable',
      collect,
    )
    .option('--user <name>', 'login user (default: ops)')
    .option('--ui-host <name>', 'host name of the chat UI')
    .addOption(new Option('--tls <mode>', 'source of the TLS certificate').choices(tlsModes))
    .option(
      '--dns-provider <name>',
      'validate host names by DNS records instead of port 80, such as alidns',
    )
    .option('--email <address>', 'email address for the certificate authority')
    .option('--accept-terms', "accept the certificate authority's terms of service")
    .option('--route <url>', 'URL of an HTTP or SOCKS5 proxy that the server uses, or client')
    .addOption(
      new Option('--mirrors <preset>', 'public mirrors of mainland China').choices(
        mirrorPresetNames,
      ),
    )
    .option('--timezone <name>', 'time zone of the server, such as Asia/Shanghai')
    .addOption(
      new Option(
        '--language <language>',
        'language of the questions (default: that of the locale)',
      ).choices(languages),
    )
    .addOption(
      repeatable(
        '--provider <name>',
        'hosted provider for the relay; repeatable',
        Object.keys(knownProviders),
      ),
    )
    .addOption(
      repeatable(
        '--component <name>',
        'front-end besides Open WebUI; repeatable',
        selectableComponents,
      ),
    )
    .addOption(
      new Option(
        '--memory <GB>',
        'memory of the server: an own release gets the models that fit (default: any)',
      ).choices(serverMemories),
    )
    .addOption(
      repeatable(
        '--arch <arch>',
        'processor of the server, for an own release; repeatable (amd64 without it)',
        architectures,
      ),
    )
    .option('--no-local-models', 'use hosted models only')
    .option('--yes', 'do not prompt; use defaults for missing flags')
    .option('--force', 'overwrite existing files')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', inLanguage(example))
    .action(async (name, flags) => {
      const { initialize } = await import('./initialize.ts');
      await initialize(context, name, flags);
    });
}
