import { resolve } from 'node:path';
import { HttpClient } from '#http/client.ts';
import { printWarnings } from '../progress/reporter.ts';
import { checkUrls, expectServed, type UrlCheck } from '../user-data/check-urls.ts';
import { describeUserData, type UserDataResult, userDataJson } from '../user-data/describe.ts';
import type { Format } from '../user-data/formats.ts';
import { refuseMissingComponents } from '../user-data/refuse-missing-components.ts';
import { type ReleaseUrl, releaseUrls } from '../user-data/release-urls.ts';
import { renderUserData } from '../user-data/render.ts';
import { serverKeys } from '../user-data/server-keys.ts';
import { writeUserData } from '../user-data/write-user-data.ts';
import type { CommandContext } from './context.ts';
import { keyWarnings } from './trusted-keys.ts';
import { readUserDataSources, type SourceFlags } from './user-data-sources.ts';

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
