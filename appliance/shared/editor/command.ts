import { Command, Option } from 'commander';
import type { EditorContext } from './actions.ts';
import { editorNames } from './editors.ts';

const example = `
Example:
  landfall editor configure --proxy http://10.0.0.2:7890
  landfall editor check
  landfall editor remove

The command finds VS Code, VSCodium, Cursor, Windsurf, Trae and code-server, and the servers of remote
windows. It changes user settings only, because editors ignore http.proxy in a workspace.
`;

const configureHelp = `
Without --proxy, HTTPS_PROXY is used. A password is never an argument: write only the user, as in
http://user@host:port, and set LANDFALL_PROXY_PASSWORD or enter it at the prompt.

Example:
  landfall editor configure --proxy http://10.0.0.2:7890
`;

const checkHelp = `
Exit codes: 0 connected, 5 not connected, 3 the editor ignores the proxy.

Example:
  landfall editor check --host api.example.com
`;

const removeHelp = `
Example:
  landfall editor remove --editor code
`;

/**
 * Returns `landfall editor`, which the builder and the server share.
 * @param contextOf called when a subcommand runs
 */
export function editorCommandOf(contextOf: () => EditorContext | Promise<EditorContext>) {
  const configure = subcommand('configure', 'write the proxy into the user settings')
    .option('--proxy <url>', 'HTTP proxy, without a password (default: HTTPS_PROXY)')
    .option('--no-strict-ssl', 'do not verify certificates: for debugging only')
    .addHelpText('after', configureHelp)
    .action(async (flags) => {
      const { configureAction } = await import('./actions.ts');
      await configureAction(await contextOf(), flags);
    });
  const check = subcommand('check', "test the vendor's hosts through the proxy")
    .option('--host <host>', 'also test this host; repeatable', collect, [])
    .addHelpText('after', checkHelp)
    .action(async (flags) => {
      const { checkAction } = await import('./actions.ts');
      await checkAction(await contextOf(), flags);
    });
  const remove = subcommand('remove', 'undo configure')
    .addHelpText('after', removeHelp)
    .action(async (flags) => {
      const { removeAction } = await import('./actions.ts');
      await removeAction(await contextOf(), flags);
    });
  return new Command('editor')
    .description('proxy settings of code editors: configure, check, remove')
    .addCommand(configure)
    .addCommand(check)
    .addCommand(remove)
    .addHelpText('after', example);
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
