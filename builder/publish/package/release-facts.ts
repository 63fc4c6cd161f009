import { LandfallError, type Problem } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/json.ts';
import { isPublicKey, readPublicKey } from '#contract/trust/keys.ts';
import { architectureOf } from '../../base/platform.ts';
import {
  type PackagedRelease,
  packagedReleaseSchema,
} from '../../deliver/packaged/packaged-release.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';

/** Environment variables that describe the release of a package. Lists are separated by spaces. */
export const factVariables = {
  /** URLs of folders: the main one, then mirrors. `{version}` stands for the version. */
  urls: 'LANDFALL_RELEASE_URLS',
  /** URLs of folders with the channel of the release; optional. */
  channels: 'LANDFALL_RELEASE_CHANNELS',
  /** Public release keys in base64 (DER), as in `release.json`. */
  keys: 'LANDFALL_RELEASE_KEYS',
  /** The public recovery key, if the release announces one. */
  recoveryKey: 'LANDFALL_RELEASE_RECOVERY_KEY',
  /** ID of the first release key, 32 or 64 hex digits. */
  keyId: 'LANDFALL_RELEASE_KEY_ID',
  /** Size of the parts of each bundle in parts: `amd64=1900000000`, in bytes; optional. */
  partSizes: 'LANDFALL_RELEASE_PART_SIZES',
  /** Page on another site that shows the key id; optional. */
  keyPage: 'LANDFALL_RELEASE_KEY_PAGE',
} as const;

type About = Pick<Appliance, 'name' | 'version' | 'platforms' | 'clients'>;

/**
 * Returns the release that a package describes, from environment variables; undefined if none is set.
 * @throws LandfallError USAGE with every missing or invalid variable
 */
export function packagedReleaseOf(
  env: NodeJS.ProcessEnv,
  { name, version, platforms, clients }: About,
): PackagedRelease | undefined {
  const given = Object.values(factVariables).filter((variable) => env[variable]);
  if (given.length === 0) return undefined;
  const listOf = (variable: string) => (env[variable] ?? '').split(/\s+/).filter(Boolean);
  const problems = problemsIn(env, listOf(factVariables.keys));
  if (problems.length > 0) throw invalid(problems);
  const keys = listOf(factVariables.keys);
  const channels = listOf(factVariables.channels);
  const sizes = listOf(factVariables.partSizes).map((text) => {
    const [arch, size] = text.split('=');
    return [arch, Number(size)];
  });
  const { [factVariables.recoveryKey]: recovery, [factVariables.keyPage]: keyPage } = env;
  const parsed = packagedReleaseSchema.safeParse({
    schema: 1,
    product: name,
    version,
    architectures: platforms.map(architectureOf),
    urls: listOf(factVariables.urls).map((url) => url.replaceAll('{version}', version)),
    ...(channels.length > 0 ? { channels } : {}),
    keys: { release: keys, recovery: recovery || null },
    keyId: idOf(keys),
    ...(sizes.length > 0 ? { partSizes: Object.fromEntries(sizes) } : {}),
    ...(keyPage ? { keyPage } : {}),
    hasProxyClient: clients !== undefined,
  });
  if (parsed.success) return parsed.data;
  throw invalid(schemaProblems(parsed.error.issues));
}

function problemsIn(env: NodeJS.ProcessEnv, keys: readonly string[]): Problem[] {
  const required = [factVariables.urls, factVariables.keys, factVariables.keyId];
  const missing = required
    .filter((variable) => !env[variable]?.trim())
    .map((variable) => ({ message: `${variable} is missing` }));
  if (missing.length > 0) return missing;
  if (!keys.every(isPublicKey)) {
    return [{ message: `${factVariables.keys} must have public keys in base64` }];
  }
  const stated = (env[factVariables.keyId] ?? '').replaceAll(' ', '').toLowerCase();
  const isSame = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/.test(stated) && idOf(keys).startsWith(stated);
  return isSame ? [] : [{ message: `${factVariables.keyId} is not the ID of the first key` }];
}

function idOf([first = '']: readonly string[]): string {
  return readPublicKey(first).id;
}

function invalid(problems: readonly Problem[]): LandfallError {
  return new LandfallError('USAGE', 'the environment does not describe a release', {
    hint: 'Set the variables as docs/release/release-script.md describes, or unset all of them.',
    problems,
  });
}
