import { readdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { errorToJson, exitCodeOf, LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { formatTable } from '#contract/text/table.ts';
import { isPublicKey, readPublicKey, type TrustedKeys } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { printWarnings } from '../../base/progress/reporter.ts';
import { partSizeFlag } from '../../bundle/archive/parts.ts';
import { trustedKeys } from '../../bundle/archive/trusted-keys.ts';
import { readSigningKey } from '../../bundle/sign/private-key.ts';
import { sourceDateEpoch } from '../../commands/build.ts';
import type { CommandContext } from '../../commands/context.ts';
import { keyInputs, keySource } from '../../commands/keys.ts';
import { withBuildContext, withNetworkOptions } from '../../commands/network.ts';
import { collect } from '../../commands/options.ts';
import { meaningOf } from '../../deliver/hosting/file-meanings.ts';
import { factVariables } from '../package/release-facts.ts';
import { checkRelease } from './check-release.ts';
import { type BundleSource, makeRelease } from './make-release.ts';
import { factEnvironment } from './pack-package.ts';

/*
 * `npm run release -- v1.2.0`: makes a release of this checkout in a folder. docs/release/release-script.md describes
 * its steps and options.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const kinds = ['thin', 'full'] as const;
/** The code host rejects files from 2 GiB. Bytes. */
const defaultPartSize = { thin: undefined, full: 1_900_000_000 };
const noFacts = `the package offers no release to its users, because ${factVariables.urls} is not set`;
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
    '--previous <file>',
    'release.json or bundle of the previous release; repeatable',
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

program.action(async (tag, flags) => {
  try {
    await release(tag, flags);
  } catch (error) {
    if (flags.json) stdout.write(`${JSON.stringify(errorToJson(error))}\n`);
    else stderr.write(`${formatError(error, { paint: paintFor(stderr, env) })}\n`);
    process.exitCode = exitCodeOf(error);
  }
});

/** Makes a release and prints its files. @throws LandfallError of `checkRelease` and `makeRelease` */
async function release(tag: string, flags: ReturnType<typeof program.opts>): Promise<void> {
  const { cwd } = context;
  const [arch, kind = flags.kind] = (flags.only?.split('/') ?? []) as [Architecture?, 'thin'?];
  const output = resolve(cwd, flags.output ?? resolve(root, 'dist', tag));
  const plan = await checkRelease(root, tag);
  const make = async (source: BundleSource, keys: TrustedKeys) => {
    const facts = factEnvironment(env, keys);
    const options = {
      ...{ root, output, kind, facts, env, only: arch && [arch] },
      previous: flags.previous.map((path) => resolve(cwd, path)),
      maxPartSize: partSizeFlag('--max-part-size', flags.maxPartSize) ?? defaultPartSize[kind],
      sourceDateEpoch: sourceDateEpoch(env),
    };
    await makeRelease(plan, options, source, keys);
    const isWithoutFacts = !arch && Object.keys(facts).length === 0;
    if (!flags.json) printWarnings(context, isWithoutFacts ? [noFacts] : []);
  };
  if (flags.built !== undefined) {
    await make({ built: resolve(cwd, flags.built) }, publicKeys());
  } else {
    const signer = await readSigningKey(keySource(context, flags), keyInputs(context));
    const keys = await trustedKeys(plan.appliance, plan.config, signer);
    await withBuildContext(context, flags, (buildContext) =>
      make({ signer, context: buildContext }, keys),
    );
  }
  const files = (await readdir(output)).sort();
  const table = formatTable(files.map((name) => [`  ${name}`, meaningOf(name)]));
  if (flags.json) stdout.write(`${JSON.stringify({ tag, folder: output, files })}\n`);
  else if (!flags.quiet) stdout.write(`${relative(cwd, output)}\n${table}\n`);
}

/**
 * Reads the public keys of a job that has no private key.
 * @throws LandfallError USAGE for a missing or invalid variable
 */
function publicKeys(): TrustedKeys {
  const release = (env[factVariables.keys] ?? '').split(/\s+/).filter(Boolean);
  const recovery = env[factVariables.recoveryKey];
  if (release.length > 0 && [...release, ...(recovery ? [recovery] : [])].every(isPublicKey)) {
    return {
      release: release.map(readPublicKey),
      recovery: recovery ? readPublicKey(recovery) : undefined,
    };
  }
  throw new LandfallError(
    'USAGE',
    `${factVariables.keys} is missing or not a list of public keys`,
    {
      hint: 'Set it to the public release keys in base64, as docs/release/release-script.md describes.',
    },
  );
}

await program.parseAsync();
