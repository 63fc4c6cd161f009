import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { execa } from 'execa';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { errorToJson } from '#contract/error-json.ts';
import { exitCodeOf, LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { formatTable } from '#contract/text/table.ts';
import { isPublicKey, readPublicKey, type TrustedKeys } from '#contract/trust/keys.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { keyInputs } from '../actions/ask-passphrase.ts';
import { keySource, sourceDateEpoch } from '../actions/build.ts';
import type { CommandContext } from '../actions/context.ts';
import { type NetworkFlags, withBuildContext } from '../actions/with-build-context.ts';
import { partSizeFlag } from '../bundle/parts/part-size.ts';
import { trustedKeys } from '../bundle/trusted-keys.ts';
import { withNetworkOptions } from '../commands/network-options.ts';
import { collect } from '../commands/repeatable.ts';
import { meaningOf } from '../hosting/file-meanings.ts';
import { factVariables } from '../package/release-facts.ts';
import { printWarnings } from '../progress/reporter.ts';
import { readSigningKey } from '../sign/private-key.ts';
import { checkRelease } from './check-release.ts';
import { CodeHost, type CodeHostAccess, codeHostAccess } from './code-host.ts';
import { listNames } from './listed-file.ts';
import { localFile } from './local-file.ts';
import { type BundleSource, makeRelease } from './make-release.ts';
import { factEnvironment } from './pack-package.ts';

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

program
  .option('--upload', 'upload the files to the draft release of the tag on the code host')
  .addOption(new Option('--publish', 'upload, then publish the draft').conflicts('only'));

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

/** Options of `npm run release`. */
interface ReleaseFlags extends NetworkFlags {
  readonly output?: string;
  readonly key?: string;
  readonly built?: string;
  readonly previous: readonly string[];
  readonly upload?: boolean;
  readonly publish?: boolean;
  readonly maxPartSize?: string;
}

/** The code host rejects files from 2 GiB. Bytes. */
const defaultPartSize = { thin: undefined, full: 1_900_000_000 };

interface Job {
  /** Folder of the checkout. */
  readonly root: string;
  readonly tag: string;
  readonly output: string;
  readonly kind: 'thin' | 'full';
  readonly only: readonly Architecture[] | undefined;
}

/** Makes a release and prints its files. @throws LandfallError of `checkRelease` and `makeRelease` */
async function releaseAction(
  context: CommandContext,
  flags: ReleaseFlags,
  job: Job,
): Promise<void> {
  const { env, cwd, stdout } = context;
  const isUploaded = flags.upload === true || flags.publish === true;
  // Before a build that takes hours.
  const access = isUploaded ? codeHostAccess(env) : undefined;
  const plan = await checkRelease(job.root, job.tag);
  const maxPartSize =
    partSizeFlag('--max-part-size', flags.maxPartSize) ?? defaultPartSize[job.kind];
  const make = async (source: BundleSource, keys: TrustedKeys) => {
    const facts = factEnvironment(givenFacts(env), keys);
    const { previous } = flags;
    const times = { sourceDateEpoch: sourceDateEpoch(env) };
    await makeRelease(
      plan,
      { ...job, ...times, cwd, previous, facts, env, maxPartSize },
      source,
      keys,
    );
    const warnings = job.only || Object.keys(facts).length > 0 ? [] : [noFacts];
    if (!flags.json) printWarnings(context, warnings);
  };
  if (flags.built !== undefined) {
    await make({ built: resolve(cwd, flags.built) }, publicKeys(env));
  } else {
    const signer = await readSigningKey(keySource(context, flags), keyInputs(context));
    const keys = await trustedKeys(plan.appliance, plan.config, signer);
    await withBuildContext(context, flags, (buildContext) =>
      make({ signer, context: buildContext }, keys),
    );
  }
  const names = await listNames(job.output);
  const { tag, output } = job;
  const url = access ? await upload(access, job, flags.publish === true) : undefined;
  if (flags.json) stdout.write(`${JSON.stringify({ tag, folder: output, files: names, url })}\n`);
  else if (!flags.quiet) stdout.write(`${describe(relative(cwd, output), names, url)}\n`);
}

async function upload(access: CodeHostAccess, job: Job, publish: boolean): Promise<string> {
  const { root: cwd, tag, kind, output: folder } = job;
  const { stdout: commit } = await execa('git', ['rev-parse', 'HEAD'], { cwd, stdin: 'ignore' });
  const host = new CodeHost(access);
  try {
    return await uploadRelease(host, { tag, kind, commit, folder, publish });
  } finally {
    await host.close();
  }
}

const noFacts = `the package offers no release to its users, because ${factVariables.urls} is not set`;

function givenFacts(env: NodeJS.ProcessEnv) {
  return {
    urls: env[factVariables.urls]?.trim() ?? '',
    keyPage: env[factVariables.keyPage] ?? '',
    keyId: env[factVariables.keyId] ?? '',
  };
}

/**
 * Reads the public keys of a job that has no private key.
 * @throws LandfallError USAGE for a missing or invalid variable
 */
function publicKeys(env: NodeJS.ProcessEnv): TrustedKeys {
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

function describe(folder: string, names: readonly string[], url: string | undefined): string {
  const files = formatTable(names.map((name) => [`  ${name}`, meaningOf(name)]));
  return `${folder}\n${files}${url === undefined ? '' : `\n\nuploaded to ${url}`}`;
}

interface Upload {
  readonly tag: string;
  readonly kind: 'thin' | 'full';
  /** Commit of the release, for a tag that does not exist yet. */
  readonly commit: string;
  /** The files of the release. */
  readonly folder: string;
  readonly publish: boolean;
}

/**
 * Uploads all files of a release to its draft, which is created if there is none, and sets its notes.
 * Keeps identical files. Publishes the draft if requested.
 * @returns URL of the release on the code host
 * @throws LandfallError USAGE for a file that the code host does not accept, before the first upload;
 * FILE_EXISTS when the release is published; HTTP_…, NETWORK_…
 */
export async function uploadRelease(
  host: CodeHost,
  { tag, kind, commit, folder, publish }: Upload,
): Promise<string> {
  const names = await listNames(folder);
  const files = await Promise.all(names.map((name) => localFile(join(folder, name))));
  const draft = await host.findOrCreateDraft({ tag: hostedTag(tag, kind), commit });
  if (names.includes('notes.md')) {
    await host.describe(draft, await readFile(join(folder, 'notes.md'), 'utf8'));
  }
  for (const file of files) await host.upload(draft, file);
  if (!publish) return draft.html_url;
  return (await host.publish(draft, kind === 'thin')).html_url;
}

/** Returns the tag on the code host: the files of both kinds have the same names (decision 36). */
function hostedTag(tag: string, kind: 'thin' | 'full'): string {
  return kind === 'thin' ? tag : `full-${tag}`;
}
