import { readdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatTable } from '#contract/text/table.ts';
import { isPublicKey, readPublicKey, type TrustedKeys } from '#contract/trust/keys.ts';
import { partSizeFlag } from '../bundle/parts.ts';
import { trustedKeys } from '../bundle/trusted-keys.ts';
import { sourceDateEpoch } from '../commands/build.ts';
import type { CommandContext } from '../commands/context.ts';
import { keyInputs, keySource } from '../commands/keys.ts';
import { type NetworkFlags, withBuildContext } from '../commands/network.ts';
import { meaningOf } from '../hosting/file-meanings.ts';
import { factVariables } from '../package/release-facts.ts';
import { printWarnings } from '../progress/reporter.ts';
import { readSigningKey } from '../sign/private-key.ts';
import { checkRelease } from './check-release.ts';
import { type BundleSource, makeRelease } from './make-release.ts';
import { factEnvironment } from './pack-package.ts';

/** Options of `npm run release`. */
export interface ReleaseFlags extends NetworkFlags {
  readonly output?: string;
  readonly key?: string;
  readonly built?: string;
  readonly previous: readonly string[];
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
export async function releaseAction(
  context: CommandContext,
  flags: ReleaseFlags,
  job: Job,
): Promise<void> {
  const { env, cwd, stdout } = context;
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
  const names = (await readdir(job.output)).sort();
  const { tag, output } = job;
  if (flags.json) stdout.write(`${JSON.stringify({ tag, folder: output, files: names })}\n`);
  else if (!flags.quiet) stdout.write(`${describe(relative(cwd, output), names)}\n`);
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

function describe(folder: string, names: readonly string[]): string {
  return `${folder}\n${formatTable(names.map((name) => [`  ${name}`, meaningOf(name)]))}`;
}
