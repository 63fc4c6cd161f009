import { localImage } from '#contract/bundle/release-name.ts';
import { inLanguage } from '#contract/text/language.ts';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import { checkUpdates } from '../../operations/update/check-updates.ts';
import { describeUpdate } from '../../operations/update/describe.ts';
import {
  downloadUpdate,
  fetchFiles,
  removeDownload,
  updateRuns,
} from '../../operations/update/download/download-update.ts';
import { type NextRelease, offeredRelease } from '../../operations/update/download/next-release.ts';
import { folderOf } from '../../operations/update/download/release-folder.ts';
import { takeChangeLock, takeRunLock } from '../../server/host/lock/run-lock.ts';
import { type Facts, loadFacts } from '../../server/load-facts.ts';
import { screenReporter } from '../../server/progress/terminal/screen-reporter.ts';
import {
  isApplying,
  storedTransaction,
  type Transaction,
} from '../../server/records/transaction.ts';
import type { Reporter } from '../../server/stage/reporter.ts';
import { imagesStage } from '../../stages/images/stage.ts';

/**
 * Downloads the offered release and its images, while the server keeps running. After Ctrl-C, the next
 * call continues.
 * @throws LandfallError ALREADY_RUNNING, and those of {@link stageRelease}
 */
export async function downloadOffer(facts: Facts): Promise<void> {
  const { host, release } = facts;
  await takeRunLock(host, 'update');
  const { offer, ...state } = await checkUpdates(facts);
  if (offer?.kind !== 'update') return console.log(describeUpdate({ offer, ...state }));
  await stageRelease(facts, offeredRelease(facts.site, offer));
  console.log(
    inLanguage({
      en: `Release ${offer.version} is on this server and verified. ${release.version} keeps running. To install it, run: sudo landfall update`,
      zh: `版本 ${offer.version} 已下载到这台服务器并通过验证。当前仍运行 ${release.version}。安装请运行：sudo landfall update`,
    }),
  );
}

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

/** Removes a downloaded release and its images. @throws LandfallError ALREADY_RUNNING */
export async function discardDownload(facts: Facts): Promise<void> {
  const { host, release } = facts;
  await takeRunLock(host, 'update');
  const open = await storedTransaction.read(host);
  if (!open) {
    return console.log(
      inLanguage({ en: 'There is no downloaded release.', zh: '没有已下载的版本。' }),
    );
  }
  if (isApplying(open)) throw updateRuns(open);
  if (open.state === 'staged') await removeImages(facts, open);
  await removeDownload(host, release, open.to);
  await storedTransaction.remove(host);
  console.log(inLanguage({ en: `Release ${open.to} is removed.`, zh: `已删除版本 ${open.to}。` }));
}

/** Removes the images that only the downloaded release has. */
async function removeImages({ host, release }: Facts, { to: version }: Transaction): Promise<void> {
  const folder = host.path(folderOf({ version, arch: release.arch }));
  const { release: downloaded } = await loadFacts(host, folder);
  const running = new Set(release.images.map(localImage));
  const others = downloaded.images.map(localImage).filter((name) => !running.has(name));
  for (const name of others) await host.run('docker', ['image', 'rm', name], { accept: [1] });
}
