import { LandfallError } from '#contract/errors.ts';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import { trustedKeysOf } from '#contract/trust/keys.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../../../server/host/download/download.ts';
import { FileBundle } from '../../../server/host/download/file-bundle.ts';
import { type BundleSource, ServedBundle } from '../../../server/host/download/served-bundle.ts';
import { takeChangeLock } from '../../../server/host/lock/run-lock.ts';
import { ensureTrustAnchor, trustRelease } from '../../../server/host/trust-anchor.ts';
import { type Facts, loadFacts } from '../../../server/load-facts.ts';
import { screenReporter } from '../../../server/progress/terminal/screen-reporter.ts';
import {
  isApplying,
  newTransaction,
  storedTransaction,
  type Transaction,
} from '../../../server/records/transaction.ts';
import type { Reporter } from '../../../server/stage/reporter.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { imagesStage } from '../../../stages/images/stage.ts';
import type { BundleLocation, NextRelease } from '../mirror.ts';
import { fetchRelease } from './fetch-release.ts';
import { folderOf, removeDownload } from './release-folder.ts';

type DownloadContext = Pick<Context, 'host' | 'site' | 'release' | 'report'>;

/**
 * Brings a release to this server, verifies it, and imports its images. Shows the progress.
 * @throws LandfallError those of `downloadUpdate` and of the images stage
 */
export async function stageRelease(facts: Facts, next: NextRelease): Promise<Transaction> {
  const { host } = facts;
  const { reporter, end } = screenReporter(process.stdout, process.env);
  try {
    const transaction = await downloadUpdate({ ...facts, report: reporter }, next);
    const lock = await takeChangeLock(host, reporter.say);
    await importImages(facts, next, reporter);
    const staged: Transaction = { ...transaction, state: 'staged' };
    await storedTransaction.write(host, staged);
    await lock.release();
    return staged;
  } finally {
    end();
  }
}

/** Imports the images of a downloaded release into Docker. */
async function importImages(facts: Facts, next: NextRelease, report: Reporter): Promise<void> {
  const { host } = facts;
  const folder = folderOf({ version: next.version, arch: facts.release.arch });
  const context = {
    ...(await loadFacts(host, host.path(folder))),
    report,
    fetchBlobs: (blobs: readonly Digest[]) =>
      fetchFiles({ ...facts, report }, next, new Set(blobs.map(hexOf))),
  };
  if ((await imagesStage.check(context)).length > 0) await imagesStage.apply(context);
  await imagesStage.prove(context);
}

/**
 * Brings a release into its folder, and verifies it with the keys of this server. A later
 * call continues an interrupted download; one of another release is removed first.
 * @returns the open transaction
 * @throws LandfallError of {@link fetchRelease}
 */
export async function downloadUpdate(
  { host, site, release, report }: DownloadContext,
  { version, manifest, bundle }: NextRelease,
): Promise<Transaction> {
  const open = await storedTransaction.read(host);
  if (open && isApplying(open)) throw updateRuns(open);
  const isSame = open?.manifest === manifest && open.from === release.version;
  if (open && !isSame) await removeDownload(host, release, open.to);
  const source = recordedSource(bundle);
  const transaction = isSame
    ? { ...open, source }
    : newTransaction({ kind: 'update', from: release.version, to: version, manifest, source });
  await storedTransaction.write(host, transaction);
  await fetchFiles({ host, site, release, report }, { version, manifest, bundle });
  return transaction;
}

/**
 * Fetches the files of a release into its folder, and verifies them with the keys of this server.
 * @param chosen SHA-256 of files to add to a complete folder; undefined: the whole release
 * @throws LandfallError of {@link fetchRelease}
 */
async function fetchFiles(
  { host, site, release, report }: DownloadContext,
  { version, manifest, bundle }: Pick<NextRelease, 'version' | 'manifest' | 'bundle'>,
  chosen?: ReadonlySet<string>,
): Promise<void> {
  const { product, arch, version: installed } = release;
  const keys = trustedKeysOf(await ensureTrustAnchor(host));
  const client = new HttpClient(networkOptions(site));
  try {
    await fetchRelease(
      {
        ...{ version, manifest, sources: sourcesOf(bundle, client) },
        ...(chosen && { files: chosen }),
      },
      {
        ...{ host, report, policy: { keys, product, arch, installed } },
        trust: (next, signer) => trustRelease(host, next, signer),
      },
    );
  } finally {
    await client.close();
  }
}

/** Returns the sources of a bundle: each mirror, or the file. */
export function sourcesOf(bundle: BundleLocation, client: HttpClient): BundleSource[] {
  if ('file' in bundle) return [new FileBundle(bundle.file)];
  return bundle.urls.map((url) => new ServedBundle(client, url, bundle.part));
}

/** Returns where a later bootstrap can download the bundle again: not from a file. */
function recordedSource(bundle: BundleLocation): Transaction['source'] {
  if ('file' in bundle) return { urls: [], part: null };
  return { urls: bundle.urls.map(({ href }) => href), part: bundle.part };
}

/** Returns the error for a command that an update in progress excludes. */
export function updateRuns({ to, state }: Transaction): LandfallError {
  if (state === 'stuck') {
    return new LandfallError('STATE_INVALID', `the rollback of ${to} is stuck`, {
      hint: {
        en: 'Read `sudo landfall update status`, and run `sudo landfall update resume`.',
        zh: '查看 `sudo landfall update status`，再运行 `sudo landfall update resume`。',
      },
    });
  }
  return new LandfallError('ALREADY_RUNNING', `the update to ${to} is in progress: ${state}`, {
    hint: {
      en: 'Follow it with `sudo landfall update`.',
      zh: '用 `sudo landfall update` 查看进度。',
    },
  });
}
