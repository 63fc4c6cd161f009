import { LandfallError } from '#contract/errors.ts';
import type { NeededInput } from '#contract/needed-input.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { canRedraw } from '#terminal/screen.ts';
import { chooseReporter, type Reporter } from '../../base/progress/reporter.ts';
import { hashFiles } from '../../deliver/hosting/hashed-file.ts';
import { releaseFiles } from '../../deliver/hosting/release-files.ts';
import { DownloadLog } from '../../deliver/hosting/serve/download-log.ts';
import { type ReleaseServer, startServer } from '../../deliver/hosting/serve/start-server.ts';
import { install, type ProxyImport } from '../../deliver/install/install.ts';
import type { Prepared } from '../../deliver/install/prepare.ts';
import { type Destination, formatDestination } from '../../deliver/ssh/arguments.ts';
import type { SshConnection } from '../../deliver/ssh/connection.ts';
import { plainJson, plainText } from '../../deliver/ssh/printed.ts';
import type { RootShell } from '../../deliver/ssh/root.ts';
import type { CommandContext } from '../context.ts';
import type { Logins, ServerFlags } from './logins.ts';

interface Delivery {
  readonly logins: Logins;
  readonly root: RootShell;
  readonly prepared: Prepared;
  /** What to import if the server waits for proxies. */
  readonly proxies?: ProxyImport | undefined;
}

/**
 * Sends the bundle, follows the first boot, logs in with the new account and prints the report.
 * @throws LandfallError SSH_…, STAGE_FAILED
 */
export async function deliver(
  context: CommandContext,
  flags: ServerFlags,
  { logins, root, prepared, proxies }: Delivery,
): Promise<void> {
  const reporter = chooseReporter(context, flags);
  const server = await serveBundle(prepared.bundle, reporter);
  try {
    const { code, needs } = await install(root, {
      prepared,
      proxies,
      restore: flags.restore,
      localPort: server.address.port,
      logins: [() => logins.open(), () => logins.open(prepared.admin)],
      note: (text) => reporter.note(text),
      show: showOn(context, flags),
    });
    if (needs) {
      context.setExitCode(code);
      const administrator = { ...logins.destination, user: prepared.admin };
      return printNextStep(context, flags, administrator, needs);
    }
    reporter.step(`logging in as ${prepared.admin}`);
    await using administrator = await proveLogin(logins, prepared.admin);
    const login = sshWords({ ...logins.destination, user: prepared.admin });
    await printReport(context, flags, administrator, login);
    context.setExitCode(code);
  } finally {
    reporter.close();
    await server.close();
  }
}

function showOn({ stdout, env }: CommandContext, { quiet, json }: ServerFlags) {
  if (quiet || json) return 'nothing';
  return canRedraw(stdout, env) ? 'terminal' : 'lines';
}

/** Logs in as the administrator: from now on, no other login is possible. */
async function proveLogin(logins: Logins, admin: string): Promise<SshConnection> {
  try {
    return await logins.open(admin);
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    throw new LandfallError(error.code, `the server is set up, but the login as ${admin} failed`, {
      hint: {
        en: 'Use the computer with the private key of admin.ssh_keys, or pass it with --identity.',
        zh: '请用存有 admin.ssh_keys 对应私钥的电脑，或用 --identity 指定私钥。',
      },
      problems: [{ message: error.message }],
    });
  }
}

/** The server goes on when the administrator has given what it needs. */
function printNextStep(
  { stdout }: CommandContext,
  { json }: ServerFlags,
  destination: Destination,
  waitsFor: NeededInput,
): void {
  if (json) return void stdout.write(`${JSON.stringify({ state: 'waiting', waitsFor })}\n`);
  if (waitsFor === 'restore') {
    const command = `  ssh -t ${sshWords(destination)} sudo landfall restore`;
    const text = {
      en: `The server waits for its backup. To restore it, run:
${command}
To do that here, add --restore and run this command again on a terminal.
`,
      zh: `服务器在等待备份。要恢复备份，请运行：
${command}
也可以加上 --restore，在终端中重新运行这条命令。
`,
    };
    stdout.write(inLanguage(text));
    return;
  }
  const command = `  ssh ${sshWords(destination)} sudo landfall route import - < proxies.yaml`;
  const text = {
    en: `The server waits for its proxies. To import them, run:
${command}
To send them with the bundle, add --proxies <file> and run this command again.
`,
    zh: `服务器在等待代理节点。要导入，请运行：
${command}
也可以加上 --proxies <文件>，随发布包一起发送，并重新运行这条命令。
`,
  };
  stdout.write(inLanguage(text));
}

/** Returns the words after `ssh` for a destination. */
function sshWords({ port, ...login }: Destination): string {
  const name = formatDestination({ ...login, port: undefined });
  return port === undefined ? name : `-p ${port} ${name}`;
}

async function printReport(
  { stdout }: CommandContext,
  { json }: ServerFlags,
  administrator: SshConnection,
  login: string,
): Promise<void> {
  const { stdout: text } = await administrator.run(`landfall report${json ? ' --json' : ''}`);
  stdout.write(json ? `${plainJson(text)}\n` : plainText(text));
  if (!json) stdout.write(`\n${inLanguage(passwordsFrom(login))}\n`);
}

function passwordsFrom(login: string): Text {
  const command = `ssh -t ${login} sudo landfall credentials`;
  return {
    en: `Passwords, from this computer: ${command}`,
    zh: `在这台电脑上查看密码：${command}`,
  };
}

/**
 * Serves a bundle to the server: on loopback here, and through the SSH connection on loopback there.
 * The bootstrap downloads from it as from any URL, so an interrupted transfer resumes, at any time.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS
 */
async function serveBundle(path: string, reporter: Reporter): Promise<ReleaseServer> {
  const files = await hashFiles(await releaseFiles(path), reporter);
  const log = new DownloadLog({
    note: () => {},
    // The label names the client, which is always this computer.
    transfer: (label, total) => reporter.transfer(`sending ${label.split(' ')[0]}`, total),
  });
  return await startServer({ files, log }, { host: '127.0.0.1', port: 0 });
}
