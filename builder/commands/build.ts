import { Command, Option } from 'commander';
import { architectures } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { BuildFlags } from '../actions/build.ts';
import type { CommandContext } from '../actions/context.ts';
import { withNetworkOptions } from './network-options.ts';
import { collect } from './repeatable.ts';

const example = `
Example:
  landfall build --full --arch amd64 --output dist

  landfall build --reproduce landfall-1.0.0-amd64.release.json

Without --key, the release is signed with the release.key that \`landfall keygen\` created. In CI, pass
the key in an environment variable (--key env:RELEASE_KEY) or on standard input (--key -).

--reproduce plans a published release again from its source and compares the bytes of release.json. It
needs no private key; --key is a public key then. With --full, it also writes the bundle to --output,
with the published signatures, and compares its SHA-256.
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
    .option(
      '--max-part-size <size>',
      'write a larger bundle in parts of at most this size, such as 1.9GB',
    )
    .option('--public', 'fail if the license of anything in the bundle is not known')
    .addOption(
      new Option(
        '--reproduce <source>',
        'compare with a published release.json, a file or URL, instead of building',
      ).conflicts(['thin', 'arch', 'without', 'public']),
    )
    .addHelpText('after', example);
  return withNetworkOptions(command).action(async (flags: BuildFlags) => {
    if (flags.reproduce !== undefined) {
      const { reproduceAction } = await import('../actions/reproduce.ts');
      return await reproduceAction(context, flags.reproduce, flags);
    }
    const { buildAction } = await import('../actions/build.ts');
    await buildAction(context, flags);
  });
}

function collectArch(value: string, previous: readonly string[] | undefined): string[] {
  if (!(architectures as readonly string[]).includes(value)) {
    throw new LandfallError('USAGE', `--arch ${value} is not a supported architecture`, {
      hint: `Choose from: ${architectures.join(', ')}.`,
    });
  }
  return [...(previous ?? []), value];
}
