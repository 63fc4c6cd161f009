import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command, type CommandUnknownOpts } from 'commander';
import { addSubcommands } from '#cli/subcommands.ts';
import { LandfallError } from '#contract/errors.ts';
import { releasesFolder } from '#contract/server-paths.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { wrapFor } from '#terminal/wrap-for.ts';
import { Host } from '../server/host/host.ts';
import { runCommand } from '../server/host/run/command.ts';
import { type Facts, loadFacts } from '../server/load-facts.ts';
import type { Reporter } from '../server/stage/reporter.ts';
import type { Context } from '../server/stage/stage.ts';

/** The options of an action whose only option is `--json`. */
export interface JsonFlag {
  readonly json?: boolean;
}

/** A question that `--yes` answers, and the output as JSON. */
export interface ChangeFlags extends JsonFlag {
  readonly yes?: boolean;
}

/** Returns the end of a command's help: calls of the command. */
export function exampleText(...calls: readonly string[]): string {
  return `\n${say('Example:', '示例：')}\n${calls.map((call) => `  ${call}\n`).join('')}`;
}

/** Returns a command that must be run as root, including its subcommands. */
export function rootCommand(name: string): Command {
  return new Command(name).hook('preAction', (_command, called) => {
    // Arguments are omitted, because one may be a secret.
    requireRoot(callOf(called));
  });
}

/** @throws LandfallError NOT_ROOT */
export function requireRoot(call: string): void {
  if (process.getuid?.() === 0) return;
  throw new LandfallError(
    'NOT_ROOT',
    inLanguage({ en: `${call} must be run as root`, zh: `${call} 需要 root 权限` }),
    {
      hint: { en: `Run: sudo ${call}`, zh: `运行：sudo ${call}` },
    },
  );
}

/** Returns the command line without arguments: `landfall models pull`. */
function callOf(command: CommandUnknownOpts): string {
  return command.parent ? `${callOf(command.parent)} ${command.name()}` : command.name();
}

/**
 * Returns a command with subcommands that must be run as root.
 * @param defaultCommand the default subcommand
 */
export function commandGroup(
  name: string,
  defaultCommand: CommandUnknownOpts,
  others: readonly CommandUnknownOpts[],
) {
  return addSubcommands(rootCommand(name), defaultCommand, others);
}

/** Prints sentences, without broken words on a terminal. */
export function printText(text: string): void {
  console.log(wrapFor(process.stdout, text));
}

/** Prints the lines and warnings of a stage, without progress, for short commands. */
export const consoleReporter: Reporter = {
  say: printText,
  waitFor: (_what, line) => printText(line),
  warn: ({ text }) => printText(inLanguage(text)),
  progress: () => {},
};

/**
 * Returns the folder of the installed release that contains this program. Fails for a program in a
 * checkout, so that it does not change the developer's machine.
 * @throws LandfallError USAGE
 */
export async function releaseFolder(): Promise<string> {
  const program = await realpath(process.argv[1] ?? '.');
  const folder = join(dirname(program), '..');
  if (dirname(folder) === `/${releasesFolder}`) return folder;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `this program is not part of an installed release: ${program}`,
      zh: `这个程序不属于已安装的版本：${program}`,
    }),
    {
      hint: {
        en: `Run the program in /${releasesFolder} on a server.`,
        zh: `在服务器上运行 /${releasesFolder} 中的程序。`,
      },
    },
  );
}

/**
 * Reads the site and the release of this server and inspects it, for the release of this program.
 * @throws LandfallError USAGE outside of an installed release; STATE_INVALID, BUNDLE_MANIFEST
 */
export async function serverFacts(): Promise<Facts> {
  return loadFacts(new Host('/', runCommand), await releaseFolder());
}

/**
 * Returns the facts of a server with a chat UI. See {@link serverFacts}.
 * @throws LandfallError USAGE on an engine node
 */
export async function chatServerFacts(): Promise<Facts> {
  const facts = await serverFacts();
  if (isEnabled(facts.site, 'ui')) return facts;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: 'this server is an engine node: it has no chats',
      zh: '这台服务器是推理节点，没有对话',
    }),
    {
      hint: { en: 'Run the command on the first server.', zh: '在第一台服务器上运行这条命令。' },
    },
  );
}

/** Returns the facts of this server with a reporter that prints. See {@link serverFacts}. */
export async function serverContext(): Promise<Context> {
  return { ...(await serverFacts()), report: consoleReporter };
}
