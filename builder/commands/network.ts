import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command, OptionValues } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#files/file-error.ts';
import { speakAs } from '../base/language.ts';
import type { Reporter, ReportOptions } from '../base/progress/reporter.ts';
import type { BuildContext } from '../bundle/build-context.ts';
import type { CommandContext } from './context.ts';
import { collect, wholeNumber, withCaOption, withOutputOptions } from './options.ts';

/** Options of commands that use registries. */
export interface NetworkFlags extends ReportOptions {
  /** Path of the appliance, next to which `site.yaml` may be. */
  readonly config?: string;
  readonly store?: string;
  readonly mirror?: readonly string[];
  readonly proxy?: string;
  readonly ca?: string;
  readonly concurrency?: number;
}

/** Adds the options of {@link NetworkFlags}. */
export function withNetworkOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  const network = command
    .option('--store <folder>', 'folder of the blob store (default: the user cache folder)')
    .option(
      '--mirror <host=url>',
      'try this mirror of a registry or of github.com first; repeatable (default: the mirrors of the site.yaml beside the appliance)',
      collect,
      [],
    )
    .option('--proxy <url>', 'use this proxy for all connections (default: HTTPS_PROXY)');
  return withOutputOptions(
    withCaOption(network).option(
      '--concurrency <n>',
      'number of parallel downloads (default: 12)',
      wholeNumber('--concurrency', 64),
    ),
  );
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
  const own = parseMirrors(flags.mirror ?? []);
  const { readSiteMirrors } = await import('../inputs/config/site-mirrors.ts');
  const site = await readSiteMirrors(context, flags.config);
  await speakAs(site, flags);
  const mirrors = new Map([...site.hosts, ...own]);
  const env = { ...site.env, ...context.env };
  const ca = await readCa(context, flags.ca);
  const { openBuildContext } = await import('../bundle/build-context.ts');
  const { chooseReporter } = await import('../base/progress/reporter.ts');
  const reporter = chooseReporter(context, flags);
  const buildContext = await openBuildContext({
    store: flags.store,
    network: { proxy: flags.proxy, ca, env },
    mirrors,
    concurrency: flags.concurrency,
    env,
    reporter,
  });
  if (mirrors.size > 0) reporter.note(`using mirrors of ${[...mirrors.keys()].join(', ')}`);
  try {
    return await work(buildContext, reporter);
  } finally {
    reporter.close();
    await buildContext.close();
  }
}

/** Parses `docker.io=https://mirror.example.cn` into lists of base URLs by host. */
function parseMirrors(flags: readonly string[]): Map<string, string[]> {
  const mirrors = new Map<string, string[]>();
  for (const flag of flags) {
    const [, registry, url] = /^([\w.:-]+)=(https?:\/\/.+)$/.exec(flag) ?? [];
    if (!registry || !url) {
      throw new LandfallError('USAGE', `--mirror ${flag} does not have the form host=URL`, {
        hint: 'Write, for example, --mirror docker.io=https://mirror.example.cn',
      });
    }
    mirrors.set(registry, [...(mirrors.get(registry) ?? []), url]);
  }
  return mirrors;
}

/**
 * Returns the additional certificate authorities in PEM, or undefined for none. Python tools read
 * REQUESTS_CA_BUNDLE, so users behind a TLS proxy have usually set it (SPEC 2.2).
 * @param file value of `--ca`
 * @throws LandfallError FILE_MISSING, FILE_ACCESS
 */
export async function readCa(
  { env, cwd }: CommandContext,
  file: string | undefined,
): Promise<string | undefined> {
  const path = file ?? (env.REQUESTS_CA_BUNDLE || undefined);
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (error) {
    throw fileError(error, path);
  }
}
