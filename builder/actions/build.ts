import { join, resolve } from 'node:path';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { build } from '../build.ts';
import { describeBuild } from '../bundle/describe-build.ts';
import { partSizeFlag } from '../bundle/parts/part-size.ts';
import type { PublishedBundle } from '../bundle/publish-bundle.ts';
import { costOf, formatCost } from '../progress/statistics.ts';
import { buildOrigin } from '../sign/build-origin.ts';
import { keyFolder, releaseKeyName } from '../sign/key-folder.ts';
import { readSigningKey } from '../sign/private-key.ts';
import { keyInputs } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';
import { type NetworkFlags, withBuildContext } from './with-build-context.ts';

/** Options of `landfall build`. */
export interface BuildFlags extends NetworkFlags {
  readonly full?: boolean;
  readonly thin?: boolean;
  readonly arch?: readonly string[];
  readonly config: string;
  readonly output: string;
  readonly key?: string;
  readonly frozen?: boolean;
  readonly without: readonly string[];
  readonly public?: boolean;
  /** A published `release.json`, as a path or URL. */
  readonly reproduce?: string;
  readonly maxPartSize?: string;
}

/** Builds the bundles and prints their paths and cost. @throws LandfallError of `build` */
export async function buildAction(context: CommandContext, flags: BuildFlags): Promise<void> {
  const started = performance.now();
  const key = await readSigningKey(keySource(context, flags), keyInputs(context));
  await withBuildContext(context, flags, async (buildContext, reporter) => {
    const origin = buildOrigin(context.env, (text) => reporter.note(text));
    const built = await build({ ...optionsOf(context, flags), origin }, key, buildContext);
    const cost = costOf(buildContext.statistics, started);
    reporter.close();
    if (flags.json)
      context.stdout.write(`${JSON.stringify({ bundles: built.map(toJson), cost })}\n`);
    else if (!flags.quiet) context.stdout.write(`${describeBuild(built)}\n${formatCost(cost)}\n`);
  });
}

function optionsOf(context: CommandContext, flags: BuildFlags): Parameters<typeof build>[0] {
  return {
    config: resolve(context.cwd, flags.config),
    output: resolve(context.cwd, flags.output),
    kind: flags.full ? 'full' : 'thin',
    archs: flags.arch as readonly Architecture[] | undefined,
    frozen: flags.frozen ?? false,
    without: new Set(flags.without),
    forPublic: flags.public,
    maxPartSize: partSizeFlag('--max-part-size', flags.maxPartSize),
    sourceDateEpoch: sourceDateEpoch(context.env),
  };
}

/** Parses SOURCE_DATE_EPOCH (reproducible-builds.org/specs/source-date-epoch), in seconds since 1970. */
export function sourceDateEpoch({
  SOURCE_DATE_EPOCH: text,
}: NodeJS.ProcessEnv): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new LandfallError('USAGE', 'SOURCE_DATE_EPOCH is not a whole number of seconds', {
    hint: 'Set it to seconds since 1970, for example: SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)',
  });
}

function toJson({ path, fileCount, manifestSha256, unchanged, release }: PublishedBundle): object {
  const { product, version, arch, kind } = release;
  const parts = fileCount === 1 ? undefined : fileCount;
  return { path, parts, manifestSha256, unchanged, product, version, arch, kind };
}

/** Resolves a path against the current folder; leaves `-` and `env:NAME` unchanged. */
export function keySource(
  { cwd, env }: CommandContext,
  { key: source }: Pick<BuildFlags, 'key'>,
): string {
  if (source === undefined) return join(keyFolder(env), `${releaseKeyName}.key`);
  return source === '-' || source.startsWith('env:') ? source : resolve(cwd, source);
}
