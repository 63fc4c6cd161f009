import { resolve } from 'node:path';
import { Command } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import type { CommandContext } from './context.ts';

const example = {
  en: `
Example:
  landfall serve dist                               for an SSH tunnel
  landfall serve dist --listen 0.0.0.0:8080         for the LAN
  ssh -N -R 127.0.0.1:8080:127.0.0.1:8080 root@203.0.113.7

Serves only files of releases, read-only, over HTTP without TLS. Servers verify every byte with the
signature. Interrupted downloads can be resumed. Ctrl-C stops the server, with exit code 0.
`,
  zh: `
示例：
  landfall serve dist                               用于 SSH 隧道
  landfall serve dist --listen 0.0.0.0:8080         用于局域网
  ssh -N -R 127.0.0.1:8080:127.0.0.1:8080 root@203.0.113.7

只提供版本的文件，只读，用不加密的 HTTP。服务器会用签名验证每个字节。中断的下载可以续传。
Ctrl-C 停止，退出码为 0。
`,
};

/** `landfall serve`: serves the files of a release over HTTP. */
export function serveCommand(context: CommandContext) {
  return definition().action((source, flags) => serve(context, source, flags));
}

const definition = () =>
  new Command('serve')
    .description('serve a release over HTTP, for a LAN or an SSH tunnel')
    .argument(
      '<source>',
      'output folder of `landfall build`, a bundle, or the folder above releases',
    )
    .option('--listen <address>', 'address and port; port 0 selects a free one', '127.0.0.1:8080')
    .option('--quiet', 'print no downloads')
    .option('--json', 'print the URLs and files as JSON, once the server is ready')
    .addHelpText('after', inLanguage(example));

type ServeFlags = OptionsOf<typeof definition>;

/**
 * Serves the files of releases until the signal.
 * @param stop resolves when the server is to end; default: Ctrl-C or SIGTERM
 * @throws LandfallError USAGE for an address or a name, FILE_…, BUNDLE_…
 */
export async function serve(
  context: CommandContext,
  source: string,
  flags: ServeFlags,
  stop: () => Promise<void> = untilInterrupted,
): Promise<void> {
  const { LiveProgress } = await import('#terminal/live-progress.ts');
  const { canRedraw } = await import('#terminal/screen.ts');
  const { hashFiles } = await import('../deliver/hosting/hashed-file.ts');
  const { hostedBundles } = await import('../deliver/hosting/hosted-bundles.ts');
  const { publishedFolders } = await import('../deliver/hosting/published-folders.ts');
  const { describeServed, servedJson } = await import('../deliver/hosting/serve/describe.ts');
  const { DownloadLog } = await import('../deliver/hosting/serve/download-log.ts');
  const { parseListenAddress } = await import('../deliver/hosting/serve/listen-address.ts');
  const { startServer } = await import('../deliver/hosting/serve/start-server.ts');
  const { chooseReporter, silentReporter } = await import('../base/progress/reporter.ts');
  const listenAddress = parseListenAddress(flags.listen);
  const folders = await publishedFolders(resolve(context.cwd, source));
  for (const { files: own } of folders) await hostedBundles(own);
  const found = folders.flatMap(({ name: folder, files: own }) =>
    own.map((file) => ({ ...file, name: folder ? `${folder}/${file.name}` : file.name })),
  );
  const reading = chooseReporter(context, flags);
  const files = await hashFiles(found, reading).finally(() => reading.close());
  const progress = new LiveProgress(context.stderr);
  // A terminal has a row for each running download; a log has none.
  const output = {
    note: (text: string) => progress.print(`  ${translated(text)}`),
    transfer: canRedraw(context.stderr, context.env)
      ? (label: string, total: number) => progress.start({ label, done: 0, total, unit: 'bytes' })
      : silentReporter.transfer,
  };
  const log = new DownloadLog(flags.quiet ? silentReporter : output);
  const server = await startServer({ files, log }, listenAddress);
  const stopped = stop();
  const { address } = server;
  const json = () => `${JSON.stringify(servedJson(files, address))}\n`;
  context.stdout.write(flags.json ? json() : describeServed(files, address));
  if (!flags.quiet)
    progress.print(`\n${say('serving; press Ctrl-C to stop', '正在提供下载；按 Ctrl-C 停止')}`);
  await stopped;
  await server.close();
  progress.close();
  if (flags.quiet) return;
  const [count, sent] = [log.completed, formatBytes(log.sent)];
  progress.print(
    say(
      `stopped: ${count} ${count === 1 ? 'file' : 'files'} and ${sent} sent`,
      `已停止：发送了 ${count} 个文件，共 ${sent}`,
    ),
  );
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    // A second Ctrl-C ends the program immediately.
    process.once('SIGINT', stop).once('SIGTERM', stop);
  });
}
