import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { type TrustedKeys, trustedKeysOf } from '#contract/trust/keys.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { HttpClient } from '#http/client.ts';
import { speakAs } from '../base/language.ts';
import { partSizeFlag } from '../bundle/archive/parts.ts';
import type { PinnedRelease } from '../bundle/released/pinned-release.ts';
import { readRelease, releasePaths } from '../bundle/released/read-release.ts';
import { downloadRelease } from '../deliver/packaged/download-release.ts';
import { type PackagedRelease, readPackagedRelease } from '../deliver/packaged/packaged-release.ts';
import { readSite } from '../inputs/config/site.ts';
import type { CommandContext } from './context.ts';
import { readTrustedKeys } from './keys.ts';
import type { TrustFlags } from './options.ts';

/** Options that select the site and the release of user-data. */
export interface SourceFlags extends TrustFlags {
  readonly site: string;
  readonly release?: readonly string[];
  readonly partSize?: string;
  readonly allowRoutePassword?: boolean;
  /** Proxy for downloads and checks of URLs. */
  readonly proxy?: string;
  readonly json?: boolean;
}

/** The site and the verified release of user-data. */
interface UserDataSources {
  readonly site: Site;
  /** The keys that the releases were verified with. */
  readonly trusted: TrustedKeys;
  readonly releases: readonly PinnedRelease[];
  /** The release of the package, if it was downloaded. */
  readonly packaged?: PackagedRelease;
}

/**
 * Reads the site and verifies its release: the files of the options, or the release of the package.
 * @throws LandfallError USAGE without a release; those of the site, the keys and the release
 */
export async function readUserDataSources(
  context: CommandContext,
  flags: SourceFlags,
): Promise<UserDataSources> {
  const { release } = flags;
  if (release) {
    const files = await readReleases(context, { ...flags, release });
    return { site: await siteOf(context, flags), ...files };
  }
  const packaged = await readPackagedRelease(context.packagedRelease);
  if (packaged) return await fromPackage(context, flags, packaged);
  throw new LandfallError('USAGE', 'no release is given', {
    hint: {
      en: 'Add --release with the output folder of `landfall build`, or a bundle for each architecture.',
      zh: '用 --release 指定 `landfall build` 的输出文件夹，或每个架构的发布包。',
    },
  });
}

/** Options that select the release of user-data. */
interface ReleaseFlags extends TrustFlags {
  readonly release: readonly string[];
  readonly partSize?: string;
}

/**
 * Reads and verifies the releases of the options.
 * @throws LandfallError of keys and releases
 */
export async function readReleases(
  context: CommandContext,
  flags: ReleaseFlags,
): Promise<Pick<UserDataSources, 'trusted' | 'releases'>> {
  const paths = await releasePaths(flags.release.map((path) => resolve(context.cwd, path)));
  const partSize = partSizeOf(flags, paths);
  const trusted = await keysFor(context, flags, paths);
  const policy = policyOf(flags, trusted);
  const releases = await Promise.all(paths.map((path) => readRelease(path, policy, partSize)));
  return { trusted, releases };
}

/** The parts of a bundle have their size. @throws LandfallError USAGE for a bundle with --part-size */
function partSizeOf({ partSize }: ReleaseFlags, paths: readonly string[]): number | undefined {
  const size = partSizeFlag('--part-size', partSize);
  if (size === undefined || paths.every((path) => path.endsWith('.json'))) return size;
  throw new LandfallError('USAGE', '--part-size is only for release.json files', {
    hint: 'Leave it out: the size of the parts is known from the bundle.',
  });
}

/** Downloads the release of the package. Keys of options replace those of the package. */
async function fromPackage(
  context: CommandContext,
  flags: SourceFlags,
  packaged: PackagedRelease,
): Promise<UserDataSources> {
  const site = await siteOf(context, flags);
  const trusted = hasKeys(flags)
    ? await readTrustedKeys(context, flags)
    : trustedKeysOf(packaged.keys);
  const http = new HttpClient({ env: context.env, proxy: flags.proxy });
  try {
    const policy = policyOf(flags, trusted);
    const releases = await downloadRelease(packaged, releaseFolders(site), { http, policy });
    return { site, trusted, releases, packaged };
  } finally {
    await http.close();
  }
}

async function siteOf({ cwd }: CommandContext, flags: SourceFlags): Promise<Site> {
  const { allowRoutePassword } = flags;
  const site = await readSite(resolve(cwd, flags.site), { allowRoutePassword });
  await speakAs(site, flags);
  return site;
}

/** Returns the keys of the options, or the key next to the first bundle if there are none. */
async function keysFor(
  context: CommandContext,
  flags: TrustFlags,
  paths: readonly string[],
): Promise<TrustedKeys> {
  const beside = join(dirname(paths[0] ?? context.cwd), 'release.pub');
  return readTrustedKeys(
    context,
    !hasKeys(flags) && existsSync(beside) ? { key: [beside] } : flags,
  );
}

function hasKeys({ key, recoveryKey }: TrustFlags): boolean {
  return key.length > 0 || recoveryKey !== undefined;
}

function policyOf({ acceptNewKeys }: TrustFlags, keys: TrustedKeys): TrustPolicy {
  return { keys, allowNewKeys: acceptNewKeys, now: new Date() };
}
