import { resolve } from 'node:path';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { LiveProgress } from '#terminal/live-progress.ts';
import { canRedraw } from '#terminal/screen.ts';
import { hashFiles } from '../../hosting/hashed-file.ts';
import { hostedBundles } from '../../hosting/hosted-bundles.ts';
import { releaseFiles } from '../../hosting/release-files.ts';
import { describeServed, servedJson } from '../../hosting/serve/describe.ts';
import { DownloadLog } from '../../hosting/serve/download-log.ts';
import { parseListenAddress } from '../../hosting/serve/listen-address.ts';
import { startServer } from '../../hosting/serve/start-server.ts';
import { chooseReporter, silentReporter } from '../../progress/reporter.ts';
import type { CommandContext } from '../context.ts';

/** Options of `landfall serve`. */
export interface ServeFlags {
  readonly listen: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/**
 * Serves the files of releases until the signal.
 * @param stop resolves when the server is to end; default: Ctrl-C or SIGTERM
 * @throws LandfallError USAGE for an address or a name, FILE_…, BUNDLE_…
 */
export async function serveAction(
  context: CommandContext,
  source: string,
  flags: ServeFlags,
  stop: () => Promise<void> = untilInterrupted,
): Promise<void> {
  const wanted = parseListenAddress(flags.listen);
  const found = await releaseFiles(resolve(context.cwd, source));
  await hostedBundles(found);
  const reading = chooseReporter(context, flags);
  const files = await hashFiles(found, reading).finally(() => reading.close());
  const progress = new LiveProgress(context.stderr);
  const log = new DownloadLog(flags.quiet ? silentReporter : outputOn(progress, context));
  const server = await startServer({ files, log }, wanted);
  const stopped = stop();
  const { address } = server;
  const json = () => `${JSON.stringify(servedJson(files, address))}\n`;
  context.stdout.write(flags.json ? json() : describeServed(files, address));
  if (!flags.quiet) progress.print('\nserving; press Ctrl-C to stop');
  await stopped;
  await server.close();
  progress.close();
  if (flags.quiet) return;
  progress.print(
    `stopped: ${log.completed} ${log.completed === 1 ? 'file' : 'files'} and ${formatBytes(log.sent)} sent`,
  );
}

/** A terminal has a row for each running download; a log has none. */
function outputOn(progress: LiveProgress, { stderr, env }: CommandContext) {
  return {
    note: (text: string) => progress.print(`  ${text}`),
    transfer: (label: string, total: number) =>
      canRedraw(stderr, env)
        ? progress.start({ label, done: 0, total, unit: 'bytes' })
        : silentReporter.transfer(label, total),
  };
}

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    // A second Ctrl-C ends the program immediately.
    process.once('SIGINT', stop).once('SIGTERM', stop);
  });
}
