import { Command, Option } from 'commander';
import { inLanguage, type Text } from '#contract/text/language.ts';
import type { EditorContext } from './actions.ts';
import { editorNames } from './editors.ts';

const example: Text = {
  en: `
Example:
  landfall editor configure --proxy http://10.0.0.2:7890
  landfall editor check
  landfall editor remove

The command finds VS Code, VSCodium, Cursor, Windsurf, Trae and code-server, and the servers of remote
windows. It changes user settings only, because editors ignore http.proxy in a workspace.
`,
  zh: `
示例：
  landfall editor configure --proxy http://10.0.0.2:7890
  landfall editor check
  landfall editor remove

自动查找 VS Code、VSCodium、Cursor、Windsurf、Trae 和 code-server，以及
远程窗口的服务端。只更改用户设置，因为编辑器不读取工作区中的 http.proxy。
`,
};

const configureHelp: Text = {
  en: `
Without --proxy, HTTPS_PROXY is used. A password is never an argument: write only the user, as in
http://user@host:port, and set LANDFALL_PROXY_PASSWORD or enter it at the prompt.

Example:
  landfall editor configure --proxy http://10.0.0.2:7890
`,
  zh: `
不写 --proxy 时使用 HTTPS_PROXY。密码不能写在参数里：只写用户名，例如
http://user@host:port，密码放在 LANDFALL_PROXY_PASSWORD 中，或在提示时输入。

示例：
  landfall editor configure --proxy http://10.0.0.2:7890
`,
};

const checkHelp: Text = {
  en: `
Exit codes: 0 connected, 5 not connected, 3 the editor ignores the proxy.

Example:
  landfall editor check --host api.example.com
`,
  zh: `
退出码：0 已连接，5 未连接，3 编辑器没有使用代理。

示例：
  landfall editor check --host api.example.com
`,
};

const removeHelp: Text = {
  en: `
Example:
  landfall editor remove --editor code
`,
  zh: `
示例：
  landfall editor remove --editor code
`,
};

/**
 * Returns `landfall editor`, which the builder and the server share.
 * @param contextOf called when a subcommand runs
 */
export function editorCommandOf(contextOf: () => EditorContext | Promise<EditorContext>) {
  const configure = subcommand('configure', 'write the proxy into the user settings')
    .option('--proxy <url>', 'HTTP proxy, without a password (default: HTTPS_PROXY)')
    .option('--no-strict-ssl', 'do not verify certificates: for debugging only')
    .addHelpText('after', inLanguage(configureHelp))
    .action(async (flags) => {
      const { configureAction } = await import('./actions.ts');
      await configureAction(await contextOf(), flags);
    });
  const check = subcommand('check', "test the vendor's hosts through the proxy")
    .option('--host <host>', 'also test this host; repeatable', collect, [])
    .addHelpText('after', inLanguage(checkHelp))
    .action(async (flags) => {
      const { checkAction } = await import('./actions.ts');
      await checkAction(await contextOf(), flags);
    });
  const remove = subcommand('remove', 'undo configure')
    .addHelpText('after', inLanguage(removeHelp))
    .action(async (flags) => {
      const { removeAction } = await import('./actions.ts');
      await removeAction(await contextOf(), flags);
    });
  return new Command('editor')
    .description('proxy settings of code editors: configure, check, remove')
    .addCommand(configure)
    .addCommand(check)
    .addCommand(remove)
    .addHelpText('after', inLanguage(example));
}

function subcommand(name: string, description: string) {
  return new Command(name)
    .description(description)
    .addOption(
      new Option('--editor <name>', 'editor (default: the one that is found)')
        .choices(editorNames)
        .conflicts('settings'),
    )
    .option('--settings <file>', 'settings.json of another editor')
    .option('--json', 'print the result as JSON');
}

function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}
