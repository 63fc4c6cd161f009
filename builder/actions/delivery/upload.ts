import { resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { webUrl } from '#contract/site/urls.ts';
import { HttpClient } from '#http/client.ts';
import type { NetworkOptions } from '#http/options.ts';
import { hashFiles } from '../../hosting/hashed-file.ts';
import { hostedBundles } from '../../hosting/hosted-bundles.ts';
import { releaseFiles } from '../../hosting/release-files.ts';
import { describeUpload, uploadJson } from '../../hosting/upload/describe.ts';
import { type DestinationFlags, openDestination } from '../../hosting/upload/open-destination.ts';
import { uploadFiles } from '../../hosting/upload/upload-files.ts';
import { parseUploadTarget } from '../../hosting/upload/upload-target.ts';
import { chooseReporter } from '../../progress/reporter.ts';
import { checkUrls, expectServed, type UrlCheck } from '../../user-data/check-urls.ts';
import type { PinnedRelease } from '../../user-data/pinned-release.ts';
import { folderUrl, releaseUrls } from '../../user-data/release-urls.ts';
import type { CommandContext } from '../context.ts';
import { readCa } from '../read-ca.ts';

/** Options of `landfall upload`. */
export interface UploadFlags extends DestinationFlags {
  readonly to: string;
  readonly publicUrl?: string;
  readonly proxy?: string;
  readonly ca?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/**
 * Uploads the files of releases and checks the URL for servers.
 * @throws LandfallError USAGE, FILE_…, BUNDLE_…, UPLOAD_REFUSED, NETWORK_…, USER_DATA_URL
 */
export async function uploadAction(
  context: CommandContext,
  source: string,
  flags: UploadFlags,
): Promise<void> {
  const target = parseUploadTarget(flags.to);
  const publicUrl = publicUrlOf(flags.publicUrl);
  const found = await releaseFiles(resolve(context.cwd, source));
  const releases = await hostedBundles(found);
  const network = { env: context.env, proxy: flags.proxy, ca: await readCa(context, flags.ca) };
  const reporter = chooseReporter(context, flags);
  try {
    await using destination = await openDestination(target, flags, { context, network, reporter });
    const hashed = await hashFiles(found, reporter);
    const files = await uploadFiles(hashed, destination, reporter);
    const checks = publicUrl ? await checkAt(publicUrl, releases, network) : [];
    if (flags.json) expectServed(checks);
    const result = { to: flags.to, files, publicUrl, checks };
    const { stdout } = context;
    if (flags.json) stdout.write(`${JSON.stringify(uploadJson(result))}\n`);
    else if (!flags.quiet) stdout.write(describeUpload(result));
    expectServed(checks);
  } finally {
    reporter.close();
  }
}

async function checkAt(
  publicUrl: URL,
  releases: readonly PinnedRelease[],
  network: NetworkOptions,
): Promise<UrlCheck[]> {
  const http = new HttpClient(network);
  try {
    return await checkUrls(http, releaseUrls({ release: [publicUrl.href] }, releases));
  } finally {
    await http.close();
  }
}

/** Applies the rules of `release` in site.yaml. @throws LandfallError USAGE */
function publicUrlOf(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  if (webUrl.safeParse(text).success) return folderUrl(text);
  throw new LandfallError('USAGE', '--public-url is not an http or https URL', {
    hint: 'Write, for example, --public-url https://downloads.example.com/landfall/',
  });
}
