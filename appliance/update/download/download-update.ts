import { randomUUID } from 'node:crypto';
import { trustedKeysOf } from '#contract/trust/keys.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../../host/download/download.ts';
import { ensureTrustAnchor } from '../../host/trust-anchor.ts';
import type { Context } from '../../stage/stage.ts';
import { Mirror } from '../mirror.ts';
import type { UpdateState } from '../state.ts';
import { readTransaction, type Transaction, writeTransaction } from '../transaction.ts';
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
  if (open && open.manifest !== manifest) await removeDownload(host, release, open.to);
  const isOpen = open?.manifest === manifest;
  const transaction: Transaction = isOpen
    ? open
    : {
        ...{ schema: 1, id: randomUUID(), kind: 'update', from: release.version },
        ...{ to: version, manifest, state: 'downloading' },
      };
  await writeTransaction(host, transaction);
  const client = new HttpClient(networkOptions(site));
  try {
    const mirrors = site.updates.channels.map((url) => new Mirror(client, url));
    const { product, arch, version: installed } = release;
    await fetchRelease(
      {
        ...{ version, manifest, part },
        urls: mirrors.flatMap((mirror) => urls.map((url) => mirror.urlOf(url))),
      },
      {
        ...{ host, client, report },
        policy: { keys: trustedKeysOf(await ensureTrustAnchor(host)), product, arch, installed },
      },
    );
  } finally {
    await client.close();
  }
  return transaction;
}

/** Removes a release that was downloaded and not installed. */
export async function removeDownload(
  host: Context['host'],
  { arch, version: running }: Pick<Context['release'], 'arch' | 'version'>,
  version: string,
): Promise<void> {
  if (version !== running) await removeFolder(host, folderOf({ version, arch }));
}
