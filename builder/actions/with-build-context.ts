import { LandfallError } from '#contract/errors.ts';
import { type BuildContext, openBuildContext } from '../build-context.ts';
import { chooseReporter, type Reporter, type ReportOptions } from '../progress/reporter.ts';
import type { CommandContext } from './context.ts';
import { readCa } from './read-ca.ts';

/** Options of commands that use registries. */
export interface NetworkFlags extends ReportOptions {
  readonly store?: string;
  readonly mirror?: readonly string[];
  readonly proxy?: string;
  readonly ca?: string;
  readonly concurrency?: number;
}

/**
 * Opens a build context with the options, runs the work in it and always closes it.
 * @throws LandfallError USAGE for invalid options, and what the work throws
 */
export async function withBuildContext<T>(
  context: CommandContext,
  flags: NetworkFlags,
  work: (buildContext: BuildContext, reporter: Reporter) => Promise<T>,
): Promise<T> {
  const mirrors = parseMirrors(flags.mirror ?? []);
  const ca = await readCa(context, flags.ca);
  const reporter = chooseReporter(context, flags);
  const buildContext = await openBuildContext({
    store: flags.store,
    network: { proxy: flags.proxy, ca, env: context.env },
    mirrors,
    concurrency: flags.concurrency,
    env: context.env,
    reporter,
  });
  try {
    return await work(buildContext, reporter);
  } finally {
    reporter.close();
    await buildContext.close();
  }
}

/** Parses `docker.io=https://mirror.example.cn` into lists of base URLs by registry. */
function parseMirrors(flags: readonly string[]): Map<string, string[]> {
  const mirrors = new Map<string, string[]>();
  for (const flag of flags) {
    const [, registry, url] = /^([\w.:-]+)=(https?:\/\/.+)$/.exec(flag) ?? [];
    if (!registry || !url) {
      throw new LandfallError('USAGE', `--mirror ${flag} does not have the form registry=URL`, {
        hint: 'Write, for example, --mirror docker.io=https://mirror.example.cn',
      });
    }
    mirrors.set(registry, [...(mirrors.get(registry) ?? []), url]);
  }
  return mirrors;
}
