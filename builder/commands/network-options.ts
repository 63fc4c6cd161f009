import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { type BuildContext, openBuildContext } from '../build-context.ts';
import { fileError } from '../files/file-error.ts';
import { chooseReporter, type ReportOptions } from '../progress/choose-reporter.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { CommandContext } from './context.ts';
import { collect } from './repeatable.ts';

/** Options of every command that reaches for registries. */
export interface NetworkFlags extends ReportOptions {
  readonly store?: string;
  readonly mirror?: readonly string[];
  readonly proxy?: string;
  readonly ca?: string;
  readonly concurrency?: number;
}

/** Adds the options to a command. */
export function withNetworkOptions(command: Command): Command {
  return command
    .option('--store <folder>', 'where fetched blobs are kept (default: the user cache folder)')
    .option('--mirror <registry=url>', 'ask this mirror first; may be given again', collect, [])
    .option('--proxy <url>', 'reach everything through this proxy (default: HTTPS_PROXY)')
    .option(
      '--ca <file>',
      'trust these certificate authorities too, PEM (default: REQUESTS_CA_BUNDLE)',
    )
    .option('--concurrency <n>', 'downloads at a time (default: 12)', wholeNumber)
    .option('--quiet', 'say nothing but errors')
    .option('--json', 'print the result as JSON');
}

/**
 * Opens the buildContext that the options describe, runs the work in it and closes it, come what may.
 * @throws LandfallError USAGE for options that make no sense, and what the work throws
 */
export async function withBuildContext<T>(
  context: CommandContext,
  flags: NetworkFlags,
  work: (buildContext: BuildContext, reporter: Reporter) => Promise<T>,
): Promise<T> {
  const mirrors = parseMirrors(flags.mirror ?? []);
  // Python's tools read the variable, so people behind such a proxy have it already (SPEC 2.2).
  const authorities = flags.ca ?? (context.env.REQUESTS_CA_BUNDLE || undefined);
  const ca = authorities === undefined ? undefined : await readCa(authorities);
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

/** `docker.io=https://mirror.example.cn` becomes a list of base URLs by registry. */
function parseMirrors(flags: readonly string[]): Map<string, string[]> {
  const mirrors = new Map<string, string[]>();
  for (const flag of flags) {
    const [, registry, url] = /^([\w.:-]+)=(https?:\/\/.+)$/.exec(flag) ?? [];
    if (!registry || !url) {
      throw new LandfallError('USAGE', `--mirror ${flag} is not a registry and a URL`, {
        hint: 'Write --mirror docker.io=https://mirror.example.cn',
      });
    }
    mirrors.set(registry, [...(mirrors.get(registry) ?? []), url]);
  }
  return mirrors;
}

async function readCa(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw fileError(error, path);
  }
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 64) return number;
  throw new LandfallError('USAGE', `--concurrency ${text} is not a number from 1 to 64`, {
    hint: 'Leave it out; 12 suits most networks.',
  });
}
