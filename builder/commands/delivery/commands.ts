import { Command, Option, type OptionValues } from 'commander';
import { inLanguage } from '#contract/text/language.ts';
import type { CommandContext } from '../context.ts';
import { withTrustOptions } from '../options.ts';

const installExample = {
  en: `
Example:
  landfall install root@203.0.113.7 --site site.yaml --release dist

For a fresh Debian or Ubuntu server on which you can log in as root, or as a user with sudo. The login is
that of your system's ssh: ~/.ssh/config, agents, jump hosts and passwords work, and so do its checks of
host keys. The bundle goes through this connection, and the server verifies it as after a paste.
After an interruption, run the same command again: it goes on where it stopped.
`,
  zh: `
示例：
  landfall install root@203.0.113.7 --site site.yaml --release dist

用于全新的 Debian 或 Ubuntu 服务器，您能以 root 或有 sudo 权限的用户登录。登录使用系统的 ssh：
~/.ssh/config、agent、跳板机和密码都可以用，主机密钥也照常核对。发布包通过这个连接传输，服务器像粘贴
之后一样验证它。中断后重新运行同一条命令，会从停下的地方继续。
`,
};

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
    .addHelpText('after', inLanguage(installExample))
    .action(async (server, flags) => {
      const { installOn } = await import('./install.ts');
      await installOn(context, server, flags);
    });
}

const pushExample = {
  en: `
Example:
  landfall push debian@203.0.113.7 --release dist
  landfall push --update ops@203.0.113.7 --release dist

For a server whose site has \`release: push\`: its user-data lets you log in as the user of the
provider's image (root, debian or ubuntu) with the SSH keys of the site, and waits for the bundle.
With --update, for a server that is installed: only files that it does not have are sent, and
\`landfall update\` runs there. It verifies the bundle with the keys of the server, and asks here.
After an interruption, run the same command again: it goes on where it stopped.
`,
  zh: `
示例：
  landfall push debian@203.0.113.7 --release dist
  landfall push --update ops@203.0.113.7 --release dist

用于站点配置为 \`release: push\` 的服务器：它的 user-data 让您用站点的 SSH 密钥，以镜像自带的用户
（root、debian 或 ubuntu）登录，并等待发布包。
--update 用于已部署的服务器：只发送它没有的文件，并在那里运行 \`landfall update\`。它用服务器的密钥
验证发布包，并在这里询问。中断后重新运行同一条命令，会从停下的地方继续。
`,
};

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
    .addHelpText('after', inLanguage(pushExample))
    .action(async (server, flags) => {
      if (flags.update) {
        const { pushUpdate } = await import('./push-update.ts');
        return await pushUpdate(context, server, flags);
      }
      const { pushTo } = await import('./push.ts');
      await pushTo(context, server, flags);
    });
}

const siteExample = {
  en: `
Example:
  landfall site push ops@203.0.113.7 --site site.yaml

For a server that is installed. It shows what changes and asks, applies the site, and goes back to the
earlier one if it does not work. The file on this computer stays yours: the server gets a copy with its
comments.
`,
  zh: `
示例：
  landfall site push ops@203.0.113.7 --site site.yaml

用于已部署的服务器。它显示变化并询问，然后应用站点配置；如果新配置不能正常工作，就回滚到以前的配置。
这台电脑上的文件不变：服务器得到的副本带有您的注释。
`,
};

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
    .addHelpText('after', inLanguage(siteExample))
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
