import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { errorToJson } from '#contract/error-json.ts';
import { exitCodeOf } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { paintFor } from '#terminal/paint-for.ts';
import type { CommandContext } from '../commands/context.ts';
import { withNetworkOptions } from '../commands/network.ts';
import { collect } from '../commands/options.ts';
import { type ReleaseFlags, releaseAction } from './release-action.ts';

/*
 * `npm run release -- v1.2.0`: makes a release of this checkout in a folder. docs/release/release-script.md describes
 * its steps and options.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const kinds = ['thin', 'full'] as const;
const jobs = architectures.flatMap((arch) => kinds.map((kind) => `${arch}/${kind}`));

const program = withNetworkOptions(new Command('release'))
  .description('build, verify and describe a release of this checkout')
  .argument('<tag>', 'v and the version of package.json and appliance.yaml')
  .option('--output <folder>', 'output folder (default: dist/<tag>)')
  .option('--key <source>', 'private key, as for `landfall build`')
  .addOption(new Option('--kind <kind>', 'kind of all bundles').choices(kinds).default('thin'))
  .addOption(
    new Option('--only <arch/kind>', 'build only this bundle, for one of several jobs')
      .choices(jobs)
      .conflicts(['built', 'previous']),
  )
  .option('--max-part-size <size>', 'as for `landfall build` (default for full bundles: 1.9GB)')
  .addOption(
    new Option('--built <folder>', 'use bundles that other jobs built, without a private key'),
  )
  .option(
    '--previous <source>',
    'release.json or bundle of the previous release, or the URL of its release.json; repeatable',
    collect,
    [],
  );

const { stdin, stdout, stderr, env } = process;
const context: CommandContext = {
  ...{ stdin, stdout, stderr, env, interactive: stdin.isTTY === true && !env.CI },
  // npm changes to the checkout; the user's folder is in INIT_CWD.
  cwd: env.INIT_CWD ?? process.cwd(),
  setExitCode: (code) => {
    process.exitCode = code;
  },
};

program.action(async (tag: string, flags: ReleaseFlags & { only?: string; kind: string }) => {
  const [arch, kind = flags.kind] = flags.only?.split('/') ?? [];
  const only = arch === undefined ? undefined : [arch as Architecture];
  const output = resolve(context.cwd, flags.output ?? resolve(root, 'dist', tag));
  try {
    await releaseAction(context, flags, { root, tag, only, kind: kind as 'thin' | 'full', output });
  } catch (error) {
    if (flags.json) stdout.write(`${JSON.stringify(errorToJson(error))}\n`);
    else stderr.write(`${formatError(error, { paint: paintFor(stderr, env) })}\n`);
    process.exitCode = exitCodeOf(error);
  }
});

await program.parseAsync();
