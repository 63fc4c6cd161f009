import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { NeededInput } from '#contract/needed-input.ts';
import {
  installedMark,
  restoredFile,
  statusFile,
  waitingNoteFile,
} from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { shellQuoted } from '../ssh/arguments.ts';
import { lostCode, type SshConnection } from '../ssh/connection.ts';
import { lastLines } from '../ssh/printed.ts';
import type { RootShell } from '../ssh/root.ts';
import type { ServerFile } from '../user-data/server-file.ts';
import { followFirstBoot, waits } from './follow.ts';
import type { Prepared } from './prepare.ts';
import { throughCuts } from './reconnect.ts';

/** The two ends of an installation, and how it talks to the user. */
interface Installation {
  readonly prepared: Prepared;
  /** Port of the server of the bundle on this computer. */
  readonly localPort: number;
  /** Open a connection as the user of the command, and as the administrator. */
  readonly logins: ReadonlyArray<() => Promise<SshConnection>>;
  readonly note: (text: string) => void;
  /** What to import if the server waits for proxies. */
  readonly proxies?: ProxyImport | undefined;
  /** Whether to restore a backup on the terminal if the server waits for it. */
  readonly restore?: boolean | undefined;
  readonly show: 'terminal' | 'lines' | 'nothing';
}

/** How a first boot has ended, or what it waits for. */
interface Ending {
  /** Exit code of `landfall status` on the server. */
  readonly code: number;
  readonly needs?: NeededInput | undefined;
}

/**
 * Sends the bundle and follows the first boot to its end. After a lost connection, it connects again
 * and goes on.
 * @throws LandfallError SSH_UNREACHABLE, SSH_FORWARD, COMMAND_FAILED, STAGE_FAILED
 */
export async function install(first: RootShell, installation: Installation): Promise<Ending> {
  return await throughCuts(first, installation, (root) => sendAndFollow(root, installation));
}

/** Returns undefined if the connection is lost. */
async function sendAndFollow(
  root: RootShell,
  { prepared, localPort, note, show, proxies, restore = false }: Installation,
): Promise<Ending | undefined> {
  if (!(await hasBundle(root))) {
    const port = await root.connection.forward(localPort);
    await placeFiles(root, prepared.filesFor(`http://127.0.0.1:${port}/`));
  }
  for (;;) {
    const code = await followFirstBoot(root, note, show);
    if (code === undefined) return undefined;
    if (code !== waits) return { code };
    const needs = await neededInput(root);
    if (needs === 'proxies' && proxies) {
      note('sending the proxies');
      await sendProxies(root, proxies, note);
    } else if (needs === 'restore' && restore) {
      const ended = await root.connection.show(root.wrap(restoreScript), true);
      if (ended === lostCode) return undefined;
      if (ended !== 0) return { code, needs };
    } else return { code, needs };
  }
}

/** Returns what the first boot waits for. */
async function neededInput(root: RootShell): Promise<NeededInput> {
  const { code } = await root.run(isWaitingFor('restore'));
  return code === 0 ? 'restore' : 'proxies';
}

function isWaitingFor(input: NeededInput): string {
  return `grep -Eq '"waitsFor": ?"${input}"' /${statusFile}`;
}

/** Restores on the terminal, then waits until the first boot goes on. */
const restoreScript = `landfall restore || exit
while ${isWaitingFor('restore')}; do
  [ -e /${restoredFile} ] || exit 1
  sleep 1
done`;

/** Once the stages have started, the bundle is complete and verified. */
async function hasBundle(root: RootShell): Promise<boolean> {
  const { code } = await root.run(`[ -e /${statusFile} ] || [ -e /${installedMark} ]`);
  return code === 0;
}

/** Writes a file from standard input, completely or not at all. */
const put = `put() {
  mkdir -p "$1"
  ( umask 077; base64 -d >"$2.new" )
  chmod "$3" "$2.new"
  mv "$2.new" "$2"
}`;

/**
 * Writes files as cloud-init would, and starts the unit of the bootstrap. Contents go through standard
 * input, because other users of the server can see arguments.
 * @throws LandfallError COMMAND_FAILED, SSH_UNREACHABLE
 */
export async function placeFiles(root: RootShell, files: readonly ServerFile[]): Promise<void> {
  const script = ['set -eu', 'umask 022', put, ...files.map(putFile), start].join('\n');
  const { code, stderr } = await root.run('exec sh -s', script);
  if (code === 0) return;
  throw new LandfallError('COMMAND_FAILED', 'the files of the bootstrap cannot be written', {
    hint: {
      en: 'Check the free space of the server with `df -h`, and run the command again.',
      zh: '用 `df -h` 检查服务器的剩余空间，再运行一次。',
    },
    problems: lastLines(stderr),
  });
}

function putFile({ path, content, secret }: ServerFile): string {
  const words = [dirname(path), path, secret ? '0600' : '0644'].map(shellQuoted).join(' ');
  return `put ${words} <<'END'\n${Buffer.from(content).toString('base64')}\nEND`;
}

/** The unit may be running, with the address of an earlier tunnel. */
const start = `rm -f /${waitingNoteFile}
sync
systemctl daemon-reload
systemctl enable --quiet landfall-boot.service
systemctl reset-failed landfall-boot.service || true
systemctl restart --no-block landfall-boot.service`;

/** What `landfall route import` gets. */
export interface ProxyImport {
  readonly text: string;
  /** Rejects the text at any problem instead of leaving out entries. */
  readonly strict: boolean;
}

/** Imports from standard input, then waits until the first boot has read the proxies. */
const script = (options: string) => `landfall route import -${options} || exit
while ${isWaitingFor('proxies')}; do sleep 1; done`;

/**
 * Imports proxies on a server that waits for them. They go through standard input, because they are
 * secrets.
 * @throws LandfallError CONFIG_INVALID with the answer of the server; SSH_UNREACHABLE
 */
export async function sendProxies(
  root: RootShell,
  { text, strict }: ProxyImport,
  note: (text: string) => void,
): Promise<void> {
  const { code, stdout, stderr } = await root.run(script(strict ? ' --strict' : ''), text);
  if (code === 0) {
    const lines = stdout.split('\n').map((line) => plainLine(line, 300));
    return lines.filter((line) => line !== '').forEach(note);
  }
  throw new LandfallError('CONFIG_INVALID', 'the server does not import the proxies', {
    hint: {
      en: 'Import them on the server: sudo landfall route import <file>',
      zh: '在服务器上导入：sudo landfall route import <文件>',
    },
    problems: lastLines(stderr),
  });
}
