import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatTable } from '#contract/text/table.ts';
import { fileError } from '#files/file-error.ts';
import { summaryRows } from '#proxies/actions/result.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import type { ProxyImport } from '../../deliver/install/install.ts';
import {
  type Destination,
  parseDestination,
  type SshOptions,
} from '../../deliver/ssh/arguments.ts';
import { SshConnection } from '../../deliver/ssh/connection.ts';
import { sshProxyOf } from '../../deliver/ssh/proxy-option.ts';
import type { CommandContext } from '../context.ts';
import { askToConfirm } from '../prompts.ts';

/** Options of commands that log in to a server. */
export interface ServerFlags {
  readonly identity?: string;
  readonly jump?: string;
  readonly sshConfig?: string;
  readonly sshProxy?: string;
  readonly proxies?: string;
  /** Fails at any problem of the proxies instead of leaving entries out. */
  readonly strict?: boolean;
  /** Restores a backup on the terminal if the server waits for it. */
  readonly restore?: boolean;
  readonly yes?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Opens connections to the server of a command. */
export interface Logins {
  readonly destination: Destination;
  /** Logs in as the user of the command, or as another one. @throws LandfallError SSH_… */
  open(user?: string): Promise<SshConnection>;
}

/** Parses the server of a command. @throws LandfallError USAGE */
export function loginsTo(context: CommandContext, text: string, flags: ServerFlags): Logins {
  if (flags.restore && !context.interactive) throw noTerminal();
  const destination = parseDestination(text);
  const options: SshOptions = {
    identity: flags.identity,
    jump: flags.jump,
    config: flags.sshConfig,
    proxy: sshProxyOf(flags.sshProxy, context.env),
    interactive: context.interactive,
  };
  const print = (chunk: string) => {
    if (!flags.quiet && !flags.json) context.stderr.write(chunk);
  };
  return {
    destination,
    open: (user = destination.user) => SshConnection.open({ ...destination, user }, options, print),
  };
}

/** Rejects a command that would ask where no one can answer. @throws LandfallError USAGE */
export function expectAnswers(canAnswer: boolean, { yes }: Pick<ServerFlags, 'yes'>): void {
  if (yes || canAnswer) return;
  throw new LandfallError('USAGE', 'the command asks before it changes a server', {
    hint: {
      en: 'Add --yes if no one can answer. Nothing was changed.',
      zh: '无人应答时请加上 --yes。没有更改任何内容。',
    },
  });
}

/** Asks whether to go on. @throws LandfallError USAGE without a terminal and without --yes */
export async function agree(
  context: CommandContext,
  flags: ServerFlags,
  message: string,
): Promise<void> {
  if (flags.yes) return;
  expectAnswers(context.interactive, flags);
  if (await askToConfirm(context, message)) return;
  throw new LandfallError('USAGE', 'cancelled', {
    hint: { en: 'Nothing was changed on the server.', zh: '服务器没有更改。' },
  });
}

/**
 * Reads and checks the file of `--proxies` before anything is sent to the server. Prints what is
 * imported and what is left out.
 * @returns the input of `landfall route import`; undefined without the option
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, CONFIG_… with the lines of all problems
 */
export async function proxiesOf(
  { cwd, stderr }: Pick<CommandContext, 'cwd' | 'stderr'>,
  { proxies, strict = false }: Pick<ServerFlags, 'proxies' | 'strict'>,
): Promise<ProxyImport | undefined> {
  if (proxies === undefined) return undefined;
  const path = resolve(cwd, proxies);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  const { settings, report } = readProxies(bytes, {
    file: basename(path),
    strict,
    deadline: Date.now() + 120_000,
  });
  stderr.write(`${formatTable(summaryRows(settings.proxies, report))}\n`);
  return { text: bytes.toString('utf8'), strict };
}

function noTerminal(): LandfallError {
  return new LandfallError('USAGE', '--restore asks for the password of the backups', {
    hint: {
      en: 'Run the command on a terminal, without --json and --quiet.',
      zh: '在终端中运行，不要用 --json 和 --quiet。',
    },
  });
}
