import { LandfallError } from '#contract/errors.ts';
import { trustedKeysOf } from '#contract/trust/keys.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../../host/download/download.ts';
import { ensureTrustAnchor } from '../../host/trust-anchor.ts';
import type { Context } from '../../stage/stage.ts';
import { Mirror } from '../mirror.ts';
import type { UpdateState } from '../state.ts';
import {
  isApplying,
  newTransaction,
  readTransaction,
  type Transaction,
  writeTransaction,
} from '../transaction.ts';
import { fetchRelease } from './fetch-release.ts';
import { folderOf, removeFolder } from './release-folder.ts';

type Offer = Extract<NonNullable<UpdateState['offer']>, { kind: 'update' }>;
type DownloadContext = Pick<Context, 'host' | 'site' | 'release' | 'report'>;

/**
 * Downloads an offered release into its folder, and verifies it with the keys of this server. A later
 * call continues an interrupted download; one of another release is removed first.
 * @returns the open transaction
 * @throws LandfallError of {@link fetchRelease}
 */
export async function downloadUpdate(
  { host, site, release, report }: DownloadContext,
  { version, manifest, part, urls }: Offer,
): Promise<Transaction> {
  const open = await readTransaction(host);
  if (open && isApplying(open)) throw updateRuns(open);
  const isSame = open?.manifest === manifest && open.from === release.version;
  if (open && !isSame) await removeDownload(host, release, open.to);
  const client = new HttpClient(networkOptions(site));
  try {
    const mirrors = site.updates.channels.map((url) => new Mirror(client, url));
    const bundles = mirrors.flatMap((mirror) => urls.map((url) => mirror.urlOf(url)));
    const transaction = isSame
      ? open
      : newTransaction({
          ...{ kind: 'update', from: release.version, to: version, manifest },
          source: { urls: bundles.map(({ href }) => href), part },
        });
    await writeTransaction(host, transaction);
    const { product, arch, version: installed } = release;
    await fetchRelease(
      { version, manifest, part, urls: bundles },
      {
        ...{ host, client, report },
        policy: { keys: trustedKeysOf(await ensureTrustAnchor(host)), product, arch, installed },
      },
    );
    return transaction;
  } finally {
    await client.close();
  }
}

/** Returns the error for a command that an update in progress excludes. */
export function updateRuns({ to, state }: Transaction): LandfallError {
  return new LandfallError('ALREADY_RUNNING', `the update to ${to} is in progress: ${state}`, {
    hint: 'Follow it with `sudo landfall update`.',
  });
}

/** Removes a release that was downloaded and not installed. */
export async function removeDownload(
  host: Context['host'],
  { arch, version: running }: Pick<Context['release'], 'arch' | 'version'>,
  version: string,
): Promise<void> {
  if (version !== running) await removeFolder(host, folderOf({ version, arch }));
}
