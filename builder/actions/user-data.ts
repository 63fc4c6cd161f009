import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { HttpClient } from '#http/client.ts';
import { readSite } from '../config/site.ts';
import { printWarnings } from '../progress/print-warnings.ts';
import { checkUrls, expectServed, type UrlCheck } from '../user-data/check-urls.ts';
import { describeUserData, type UserDataResult, userDataJson } from '../user-data/describe.ts';
import type { Format } from '../user-data/formats.ts';
import type { PinnedRelease } from '../user-data/pinned-release.ts';
import { readRelease } from '../user-data/read-release.ts';
import { refuseMissingComponents } from '../user-data/refuse-missing-components.ts';
import { type ReleaseUrl, releaseUrls } from '../user-data/release-urls.ts';
import { renderUserData } from '../user-data/render.ts';
import { serverKeys } from '../user-data/server-keys.ts';
import { writeUserData } from '../user-data/write-user-data.ts';
import type { CommandContext } from './context.ts';
import { keyWarnings, readTrustedKeys, type TrustFlags } from './trusted-keys.ts';

/** Options of `landfall user-data`. */
export interface UserDataFlags extends TrustFlags {
  readonly site: string;
  readonly release: readonly string[];
  readonly provider?: string;
  readonly format: Format;
  readonly output: string;
  readonly allowRoutePassword?: boolean;
  readonly checkUrls?: boolean;
  readonly proxy?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Renders the user-data and writes it. @throws LandfallError of releases, sites and `renderUserData` */
export async function userDataAction(context: CommandContext, flags: UserDataFlags): Promise<void> {
  const paths = flags.release.map((path) => resolve(context.cwd, path));
  const given = await givenKeys(context, flags, paths);
  const releases = await readReleases(flags, paths, given);
  const site = await readSite(resolve(context.cwd, flags.site), {
    allowRoutePassword: flags.allowRoutePassword,
  });
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

/** Returns the keys of the options, or the key next to the first bundle if there are none. */
async function givenKeys(
  context: CommandContext,
  flags: UserDataFlags,
  paths: readonly string[],
): Promise<TrustedKeys> {
  const beside = join(dirname(paths[0] ?? context.cwd), 'release.pub');
  const isBare = flags.key.length === 0 && flags.recoveryKey === undefined;
  return readTrustedKeys(context, isBare && existsSync(beside) ? { key: [beside] } : flags);
}

async function readReleases(
  { acceptNewKeys }: UserDataFlags,
  paths: readonly string[],
  keys: TrustedKeys,
): Promise<PinnedRelease[]> {
  const policy = { keys, allowNewKeys: acceptNewKeys, now: new Date() };
  return Promise.all(paths.map((path) => readRelease(path, policy)));
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
