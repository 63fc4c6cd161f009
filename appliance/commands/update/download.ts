import { localImage } from '#contract/bundle/release-name.ts';
import { inLanguage } from '#contract/text/language.ts';
import { checkUpdates, offeredRelease } from '../../operations/update/check-updates.ts';
import { folderOf, removeDownload } from '../../operations/update/download/release-folder.ts';
import { stageRelease, updateRuns } from '../../operations/update/download/stage-release.ts';
import { describeUpdate } from '../../operations/update/last-check.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import { type Facts, loadFacts } from '../../server/load-facts.ts';
import {
  isApplying,
  storedTransaction,
  type Transaction,
} from '../../server/records/transaction.ts';

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
