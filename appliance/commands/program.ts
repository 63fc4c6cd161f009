import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Command, type CommandUnknownOpts } from 'commander';
import { completionCommand, completionScript } from '#cli/completion.ts';
import { manualPage } from '#cli/manual/page.ts';
import { createProgram, type Output } from '#cli/program.ts';
import { LandfallError } from '#contract/errors.ts';
import { releasesFolder } from '#contract/server-paths.ts';
import { formatError } from '#contract/text/error.ts';
import { inLanguage, say, type Text } from '#contract/text/language.ts';
import { sshThroughProxyCommand } from '#probe/ssh-through-proxy-command.ts';
import { columnsOf, wrapFor } from '#terminal/wrap-for.ts';
import { Host } from '../server/host/host.ts';
import type { CommandFiles } from '../server/host/install-command.ts';
import { runCommand } from '../server/host/run/command.ts';
import { waitingNotices } from '../server/host/undo/notice.ts';
import { pageServer } from '../server/progress/page/page-server.ts';
import { retryOf } from '../server/stage/stage-error.ts';
import { editorCommandOf } from '../shared/editor/command.ts';
import { firstBoot } from '../stages/first-boot.ts';
import { accessCommand } from './access/command.ts';
import { alertCommand } from './alert.ts';
import { backupCommand } from './backup/command.ts';
import { exampleText, releaseFolder, rootCommand } from './command.ts';
import { confirmCommand } from './confirm.ts';
import { credentialsCommand } from './credentials.ts';
import { restartCommand, startCommand, stopCommand } from './daily/change-commands.ts';
import { logsCommand } from './daily/logs/command.ts';
import { overviewCommand } from './daily/overview-command.ts';
import { doctorCommand } from './doctor.ts';
import { enginesCommand } from './engines.ts';
import { exportCommand } from './export/command.ts';
import { firewallCommand } from './firewall.ts';
import {
  applyReleaseCommand,
  applyTransactionCommand,
  volumeTaskCommand,
} from './hidden-commands.ts';
import { modelsCommand } from './models.ts';
import { nodeCommand } from './node/command.ts';
import { planCommand } from './plan.ts';
import { probeCommand } from './probe.ts';
import { readHidden } from './read-hidden.ts';
import { relayCommand } from './relay/command.ts';
import { reportCommand } from './report.ts';
import { restoreCommand } from './restore/command.ts';
import { routeCommand } from './route/command.ts';
import { secretCommand } from './secret/command.ts';
import { siteCommand } from './site/command.ts';
import { smokeCommand } from './smoke.ts';
import { stackCommand } from './stack.ts';
import { statusCommand } from './status.ts';
import { tlsCommand } from './tls.ts';
import { uiCommand } from './ui/command.ts';
import { uninstallCommand } from './uninstall/command.ts';
import { updateCommand } from './update/command.ts';

const help: Text = {
  en: `
Start here:
  landfall                    show the state in five lines, and the next commands
  landfall status             show whether the server is up
  sudo landfall doctor        find faults, with the remedy for each
  landfall report             show URLs, fingerprints and next steps
  sudo landfall credentials   show the generated passwords and keys
  sudo landfall first-boot    set up what is missing

Exit codes: 0 success, 1 bug, 2 usage, 3 configuration, 5 network or registry,
6 release rejected, 8 files and disk, 10 missing tool, 11 server.
\`landfall doctor\` exits with 12 if it finds a fault, \`landfall update check\` with 14 if there is an update,
and \`landfall status\` also with 69 and 75; see their help.
`,
  zh: `
从这里开始：
  landfall                    用五行显示状态，以及接下来的命令
  landfall status             显示服务器是否正常
  sudo landfall doctor        查找故障和对策
  landfall report             显示网址、指纹和下一步
  sudo landfall credentials   显示自动生成的密码和密钥
  sudo landfall first-boot    补上缺少的部分

退出码：0 成功，1 程序错误，2 用法错误，3 配置错误，5 网络或镜像仓库，
6 版本被拒绝，8 文件和磁盘，10 缺少工具，11 服务器。
\`landfall doctor\` 发现故障时退出码为 12，\`landfall update check\` 有新版本时
为 14，\`landfall status\` 还有 69 和 75；见各自的帮助。
`,
};

/** Returns the `landfall` command of the server, with subcommands in help order. */
export function serverProgram(output: Output) {
  const confirm = confirmCommand();
  const internal: CommandUnknownOpts[] = [
    servePageCommand(),
    applyReleaseCommand(commandFiles),
    applyTransactionCommand(),
    volumeTaskCommand(),
    sshThroughProxyCommand(process),
  ];
  const program = createProgram(output, {
    description: 'Manages a server that Landfall has set up.',
    version: releaseVersion(process.argv[1] ?? ''),
    help: inLanguage(help),
    groups: {
      'Every day': [
        statusCommand(),
        reportCommand(),
        logsCommand(),
        restartCommand(),
        stopCommand(),
        startCommand(),
        siteCommand(),
        updateCommand(),
        modelsCommand(),
        alertCommand(),
      ],
      Data: [backupCommand(), restoreCommand(), exportCommand()],
      'People and keys': [credentialsCommand(), secretCommand(), uiCommand(), relayCommand()],
      Network: [
        routeCommand(),
        probeCommand(),
        firewallCommand(),
        accessCommand(),
        confirm,
        tlsCommand(),
        editorCommand(),
      ],
      'Several servers': [enginesCommand(), nodeCommand(), stackCommand()],
      'Set up and repair': [
        doctorCommand(),
        smokeCommand(),
        planCommand(),
        firstBootCommand(),
        uninstallCommand(),
      ],
      Help: [completionCommand(output)],
    },
    hiddenCommands: [overviewCommand(), ...internal],
  });
  return program.hook('preAction', async (_program, called) => {
    const isForUsers = ![confirm, ...internal].includes(called) && called.opts().json !== true;
    if (isForUsers) await showWaiting(output);
  });
}

/** Says first which changes wait for a confirmation. */
async function showWaiting({ stderr }: Output): Promise<void> {
  for (const line of await waitingNotices(new Host('/', runCommand)))
    stderr.write(`${wrapFor(process.stderr, line)}\n\n`);
}

/** Formats an error of a command on the server, with the retry advice for an error of a stage. */
export function formatServerError(error: unknown): string {
  return formatError(error, { retry: retryOf(error), columns: columnsOf(process.stderr) });
}

/** `landfall editor`: the proxy settings of code-server and of remote windows on this server. */
function editorCommand() {
  return editorCommandOf(() => ({
    ...{ stdout: process.stdout, stderr: process.stderr, env: process.env },
    ...{ cwd: process.cwd(), platform: process.platform },
    askPassword: () =>
      readHidden(
        inLanguage({ en: 'Password of the proxy (hidden): ', zh: '代理的密码（不显示）：' }),
      ),
    readCa: async () => undefined,
    setExitCode: (code) => {
      process.exitCode = code;
    },
  }));
}

/**
 * Returns the release of a program for `--version`: `1.2.0-amd64`, the name of its folder.
 * @param script path of the program as called
 */
function releaseVersion(script: string): string {
  const folder = dirname(dirname(resolved(script)));
  return dirname(folder) === `/${releasesFolder}`
    ? basename(folder)
    : say('no installed release', '没有安装的版本');
}

/** Resolves symbolic links. Returns the path on an error, so that help still works. */
function resolved(script: string): string {
  try {
    return realpathSync(script);
  } catch {
    return script;
  }
}

/** `landfall first-boot`: sets up the server, or completes an interrupted setup. */
function firstBootCommand() {
  const command = rootCommand('first-boot')
    .description('set up this server, or what is missing')
    .addHelpText('after', exampleText('sudo landfall first-boot'));
  return command.action(async () => {
    await firstBoot(await releaseFolder(), commandFiles(command.parent ?? command));
    const { ensureSiteText } = await import('./site/source.ts');
    await ensureSiteText(new Host('/', runCommand));
  });
}

function commandFiles(program: CommandUnknownOpts): CommandFiles {
  return { completion: completionScript('bash', program), manual: manualPage(program, 8) };
}

/** File descriptor of the first socket from systemd; see sd_listen_fds(3). */
const firstSocket = 3;

/** `landfall serve-page`: started only by systemd, without privileges (`progress/page/page-unit.ts`). */
function servePageCommand() {
  return new Command('serve-page')
    .description('serve the first boot progress page; called by systemd')
    .argument('<file>', 'absolute path of the page')
    .action(servePage);
}

async function servePage(file: string): Promise<void> {
  if (!file.startsWith('/')) {
    throw new LandfallError('USAGE', 'serve-page takes one absolute path');
  }
  if (process.getuid?.() === 0) {
    throw new LandfallError('USAGE', 'serve-page must not be run as root');
  }
  if (process.env.LISTEN_FDS !== '1') {
    throw new LandfallError('USAGE', 'serve-page must be started by systemd with a socket');
  }
  const server = pageServer(file);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ fd: firstSocket }, resolve);
  });
}
