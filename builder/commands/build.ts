import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { build } from '../build.ts';
import { describeBuild } from '../bundle/describe-build.ts';
import type { PublishedBundle } from '../bundle/publish-bundle.ts';
import { costOf, formatCost } from '../progress/summary.ts';
import { keyFolder, releaseKeyName } from '../sign/key-folder.ts';
import { readSigningKey } from '../sign/private-key.ts';
import { keyInputs } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';
import { type NetworkFlags, withBuildContext, withNetworkOptions } from './network-options.ts';
import { collect } from './repeatable.ts';

interface BuildFlags extends NetworkFlags {
  readonly full?: boolean;
  readonly thin?: boolean;
  readonly arch?: readonly string[];
  readonly config: string;
  readonly output: string;
  readonly key?: string;
  readonly frozen?: boolean;
  readonly without: readonly string[];
}

const example = `
Example:
  landfall build --full --arch amd64 --output dist

Without --key, the release is signed with the release.key that \`landfall keygen\` created. In CI, pass
the key in an environment variable (--key env:RELEASE_KEY) or on standard input (--key -).
`;

/** `landfall build`: builds signed bundles from appliance.yaml. */
export function buildCommand(context: CommandContext): Command {
  const command = new Command('build')
    .description('build signed bundles from appliance.yaml')
    .addOption(
      new Option('--full', 'include all images and models in the bundle').conflicts('thin'),
    )
    .addOption(new Option('--thin', 'reference images by digest; the server pulls them (default)'))
    .addOption(
      new Option('--arch <arch>', 'build only for this architecture; repeatable')
        .choices(architectures)
        .argParser(collectArch),
    )
    .option('--config <file>', 'path of the appliance', 'appliance.yaml')
    .option('--output <folder>', 'output folder', 'dist')
    .option(
      '--key <source>',
      'private key: a file, env:NAME, or - for standard input (default: release.key of `landfall keygen`)',
    )
    .option('--frozen', 'do not change the lock file; fail if it is outdated or incomplete')
    .option(
      '--without <name>',
      'leave out an optional component or a model; repeatable',
      collect,
      [],
    )
    .addHelpText('after', example);
  return withNetworkOptions(command).action(async (flags: BuildFlags) => {
    const started = performance.now();
    const key = await readSigningKey(keySource(context, flags), keyInputs(context));
    await withBuildContext(context, flags, async (buildContext, reporter) => {
      const built = await build(optionsOf(context, flags), key, buildContext);
      const cost = costOf(buildContext.statistics, started);
      reporter.close();
      if (flags.json)
        context.stdout.write(`${JSON.stringify({ bundles: built.map(toJson), cost })}\n`);
      else if (!flags.quiet) context.stdout.write(`${describeBuild(built)}\n${formatCost(cost)}\n`);
    });
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
    sourceDateEpoch: sourceDateEpoch(context.env),
  };
}

/** Parses SOURCE_DATE_EPOCH (reproducible-builds.org/specs/source-date-epoch), in seconds since 1970. */
function sourceDateEpoch({ SOURCE_DATE_EPOCH: text }: NodeJS.ProcessEnv): number | undefined {
  if (!text) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new LandfallError('USAGE', 'SOURCE_DATE_EPOCH is not a whole number of seconds', {
    hint: 'Set it to seconds since 1970, for example: SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)',
  });
}

function toJson({ path, manifestSha256, unchanged, release }: PublishedBundle): object {
  const { product, version, arch, kind } = release;
  return { path, manifestSha256, unchanged, product, version, arch, kind };
}

function collectArch(value: string, previous: readonly string[] | undefined): string[] {
  if (!(architectures as readonly string[]).includes(value)) {
    throw new LandfallError('USAGE', `--arch ${value} is not a supported architecture`, {
      hint: `Choose from: ${architectures.join(', ')}.`,
    });
  }
  return [...(previous ?? []), value];
}

/** Resolves a path against the current folder; leaves `-` and `env:NAME` unchanged. */
function keySource({ cwd, env }: CommandContext, { key: source }: BuildFlags): string {
  if (source === undefined) return join(keyFolder(env), `${releaseKeyName}.key`);
  return source === '-' || source.startsWith('env:') ? source : resolve(cwd, source);
}
