import type { CommandUnknownOpts } from 'commander';
import { completionCommand } from '#cli/completion.ts';
import { createProgram } from '#cli/program.ts';
import { runProgram, wantsJson } from '#cli/run-program.ts';
import { formatError } from '#contract/text/error.ts';
import { inLanguage, languageOfLocale } from '#contract/text/language.ts';
import { sshThroughProxyCommand } from '#probe/ssh-through-proxy-command.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { columnsOf } from '#terminal/wrap-for.ts';
import { speak } from '../base/language.ts';
import { builderVersion } from '../base/version.ts';
import { buildCommand } from '../commands/build.ts';
import { channelCommand } from '../commands/channel/channel.ts';
import { trustCommand } from '../commands/channel/trust.ts';
import type { CommandContext } from '../commands/context.ts';
import { installCommand, pushCommand, siteCommand } from '../commands/delivery/commands.ts';
import { diffCommand } from '../commands/diff.ts';
import { editorCommand } from '../commands/editor.ts';
import { explainCommand } from '../commands/explain/explain.ts';
import { initCommand } from '../commands/init.ts';
import { inspectCommand } from '../commands/inspect.ts';
import { keygenCommand } from '../commands/keygen.ts';
import { lockCommand } from '../commands/lock.ts';
import { manualCommand } from '../commands/manual.ts';
import { pageCommand } from '../commands/page/page.ts';
import { previewCommand } from '../commands/preview.ts';
import { probeCommand } from '../commands/probe.ts';
import { routeCommand } from '../commands/route/route.ts';
import { schemaCommand } from '../commands/schema.ts';
import { serveCommand } from '../commands/serve.ts';
import { signCommand } from '../commands/sign.ts';
import { smokeCommand } from '../commands/smoke.ts';
import { uploadCommand } from '../commands/upload.ts';
import { userDataCommand } from '../commands/user-data.ts';
import { verifyCommand } from '../commands/verify.ts';

const help = {
  en: `
Start here:
  landfall init                             write appliance.yaml and site.yaml
  landfall keygen                           create the key that signs releases
  landfall lock                             look up the digests of images and models
  landfall build                            build the bundles
  landfall user-data --site site.yaml --release dist/*.tar
                                            write the user-data to paste at your provider

Exit codes: 0 success, 1 internal error, 2 usage, 3 configuration, 4 lock file, 5 network or
registry, 6 bundle rejected, 7 key, 8 files and disk, 9 user-data, 10 missing tool, 11 server,
12 findings of landfall explain or doctor, 13 SSH.
landfall diff --exit-code: 1 also means that there are differences. landfall install and push: 69 means
that a component is down, and 75 that the server waits for its proxies.
`,
  zh: `
从这里开始：
  landfall init                             生成 appliance.yaml 和 site.yaml
  landfall keygen                           生成签名用的密钥
  landfall lock                             查询镜像和模型的摘要
  landfall build                            构建发布包
  landfall user-data --site site.yaml --release dist/*.tar
                                            生成要粘贴到云服务商控制台的 user-data

退出码：0 成功，1 内部错误，2 用法，3 配置，4 锁文件，5 网络或镜像仓库，6 发布包被拒绝，7 密钥，
8 文件和磁盘，9 user-data，10 缺少程序，11 服务器，12 landfall explain 或 doctor 有发现，13 SSH。
landfall diff --exit-code：1 也表示有差异。landfall install 和 push：69 表示有组件没有运行，
75 表示服务器在等待代理节点。
`,
};

type Make = (context: CommandContext) => CommandUnknownOpts;

/** Creates the command line of the builder. `completion` and the tests use the same definition. */
export function landfallProgram(context: CommandContext) {
  const groups: Readonly<Record<string, readonly Make[]>> = {
    'Make a release': [initCommand, schemaCommand, lockCommand, buildCommand, previewCommand],
    Inspect: [verifyCommand, inspectCommand, diffCommand, explainCommand],
    'Keys and channels': [keygenCommand, signCommand, trustCommand, channelCommand],
    Deliver: [
      userDataCommand,
      pageCommand,
      serveCommand,
      uploadCommand,
      installCommand,
      pushCommand,
      siteCommand,
      smokeCommand,
    ],
    Network: [probeCommand, routeCommand, editorCommand],
    Help: [completionCommand, manualCommand],
  };
  return createProgram(context, {
    description: 'A private AI server from one paste.',
    version: builderVersion,
    help: inLanguage(help),
    groups: Object.fromEntries(
      Object.entries(groups).map(([heading, commands]) => [
        heading,
        commands.map((command) => command(context)),
      ]),
    ),
    hiddenCommands: [sshThroughProxyCommand(context)],
  });
}

/**
 * Runs a command line and returns its exit code.
 * @param args arguments without the program's name
 */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  // Programs read JSON in any locale.
  await speak(wantsJson(args) ? 'en' : languageOfLocale(context.env));
  const paint = paintFor(context.stderr, context.env);
  return await runProgram(landfallProgram(context), args, context, (error) =>
    formatError(error, { paint, columns: columnsOf(context.stderr) }),
  );
}
