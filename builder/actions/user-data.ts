import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { announcedKeys } from '#contract/trust/key-change.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { HttpClient } from '#http/client.ts';
import { partSizeFlag } from '../bundle/parts/part-size.ts';
import { readSite } from '../config/site.ts';
import { downloadRelease } from '../packaged/download-release.ts';
import type { PackagedRelease } from '../packaged/packaged-release.ts';
import { readPackagedRelease } from '../packaged/read-packaged-release.ts';
import { printWarnings } from '../progress/reporter.ts';
import { checkUrls, expectServed, type UrlCheck } from '../user-data/check-urls.ts';
import { describeUserData, type UserDataResult, userDataJson } from '../user-data/describe.ts';
import type { Format } from '../user-data/formats.ts';
import type { PinnedRelease } from '../user-data/pinned-release.ts';
import { readRelease } from '../user-data/read-release.ts';
import { refuseMissingComponents } from '../user-data/refuse-missing-components.ts';
import { releasePaths } from '../user-data/release-paths.ts';
import { type ReleaseUrl, releaseUrls } from '../user-data/release-urls.ts';
import { renderUserData } from '../user-data/render.ts';
import { serverKeys } from '../user-data/server-keys.ts';
import { writeUserData } from '../user-data/write-user-data.ts';
import type { CommandContext } from './context.ts';
import { keyWarnings, readTrustedKeys, type TrustFlags } from './trusted-keys.ts';

/** Options of `landfall user-data`. */
export interface UserDataFlags extends SourceFlags {
  readonly provider?: string;
  readonly format: Format;
  readonly output: string;
  readonly checkUrls?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Renders the user-data and writes it. @throws LandfallError of releases, sites and `renderUserData` */
export async function userDataAction(context: CommandContext, flags: UserDataFlags): Promise<void> {
  const { site, given, releases, packaged } = await readUserDataSources(context, flags);
  refuseMissingComponents(site, releases);
  const keys = serverKeys(releases);
  const { provider, format } = flags;
  const rendered = renderUserData({ site, releases, keys, provider, format });
  if (flags.output === '-') {
    context.stdout.write(rendered.bytes);
  } else {
    await writeUserData(resolve(context.cwd, flags.output), rendered.bytes);
  }
  const [first] = releases;
  const warnings = [...(first ? keyWarnings(first.release, given) : []), ...rendered.warnings];
  const urls = releaseUrls(site, releases);
  const checks = flags.checkUrls ? await check(context, flags, urls) : undefined;
  if (flags.json && checks) expectServed(checks);
  report(context, flags, {
    path: flags.output,
    format,
    releases,
    keys,
    rendered,
    warnings,
    urls,
    checks,
    packaged,
  });
  if (checks) expectServed(checks);
}

async function check(
  { env }: CommandContext,
  { proxy }: UserDataFlags,
  urls: readonly ReleaseUrl[],
): Promise<UrlCheck[]> {
  const http = new HttpClient({ env, proxy });
  try {
    return await checkUrls(http, urls);
  } finally {
    await http.close();
  }
}

/** Prints the result. Warnings go to stderr; with `--output -`, all other text does, too. */
function report(context: CommandContext, flags: UserDataFlags, result: UserDataResult): void {
  const { stdout, stderr } = context;
  const out = flags.output === '-' ? stderr : stdout;
  if (flags.json) {
    out.write(`${JSON.stringify(userDataJson(result))}\n`);
    return;
  }
  printWarnings(context, result.warnings);
  if (!flags.quiet) out.write(`${describeUserData(result)}\n`);
}

/** Options that select the site and the release of user-data. */
export interface SourceFlags extends TrustFlags {
  readonly site: string;
  readonly release?: readonly string[];
  readonly partSize?: string;
  readonly allowRoutePassword?: boolean;
  /** Proxy for downloads and checks of URLs. */
  readonly proxy?: string;
}

/** The site and the verified release of user-data. */
interface UserDataSources {
  readonly site: Site;
  /** The keys that the releases were verified with. */
  readonly given: TrustedKeys;
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
  if (flags.release) return await fromFiles(context, flags, flags.release);
  const packaged = await readPackagedRelease(context.packagedRelease);
  if (packaged) return await fromPackage(context, flags, packaged);
  throw new LandfallError('USAGE', 'no release is given', {
    hint: 'Add --release with the output folder of `landfall build`, or a bundle for each architecture.',
  });
}

async function fromFiles(
  context: CommandContext,
  flags: SourceFlags,
  files: readonly string[],
): Promise<UserDataSources> {
  const paths = await releasePaths(files.map((path) => resolve(context.cwd, path)));
  const partSize = partSizeOf(flags, paths);
  const given = await givenKeys(context, flags, paths);
  const policy = policyOf(flags, given);
  const releases = await Promise.all(paths.map((path) => readRelease(path, policy, partSize)));
  return { site: await siteOf(context, flags), given, releases };
}

/** The parts of a bundle have their size. @throws LandfallError USAGE for a bundle with --part-size */
function partSizeOf({ partSize }: SourceFlags, paths: readonly string[]): number | undefined {
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
  const given = hasKeys(flags)
    ? await readTrustedKeys(context, flags)
    : announcedKeys(packaged.keys);
  const http = new HttpClient({ env: context.env, proxy: flags.proxy });
  try {
    const policy = policyOf(flags, given);
    const releases = await downloadRelease(packaged, releaseFolders(site), { http, policy });
    return { site, given, releases, packaged };
  } finally {
    await http.close();
  }
}

function siteOf({ cwd }: CommandContext, { site, allowRoutePassword }: SourceFlags): Promise<Site> {
  return readSite(resolve(cwd, site), { allowRoutePassword });
}

/** Returns the keys of the options, or the key next to the first bundle if there are none. */
async function givenKeys(
  context: CommandContext,
  flags: SourceFlags,
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

function policyOf({ acceptNewKeys }: SourceFlags, keys: TrustedKeys): TrustPolicy {
  return { keys, allowNewKeys: acceptNewKeys, now: new Date() };
}
