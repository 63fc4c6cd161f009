import { z } from 'zod';
import { blobsFolder } from '#contract/bundle/bundle-paths.ts';
import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { readJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { bootId } from '../../server/host/server.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { dockerImageStore, dropBundled } from '../preflight/public.ts';
import { type Imported, importImages } from './import-images.ts';

/** Imports the images of the release into Docker under their local names. */
export const imagesStage: Stage = {
  name: 'images',
  title: 'images: container images of the stack',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const mark = await readMark(context.host);
  if (mark && mark.boot !== (await bootId(context.host)))
    return [
      inLanguage({
        en: 'import images again that a power cut may have damaged',
        zh: '重新导入可能因断电损坏的镜像',
      }),
    ];
  const todo = (await missing(context)).map(({ component }) =>
    inLanguage({ en: `import the image of ${component}`, zh: `导入 ${component} 的镜像` }),
  );
  return mark && todo.length === 0
    ? [inLanguage({ en: 'flush the images to disk', zh: '把镜像写入磁盘' })]
    : todo;
}

/**
 * Imports missing images. A mark from the current boot is from a failed run, whose images are intact.
 * A mark from an earlier boot may mean a power cut, so its images are suspect.
 */
async function apply(context: Context): Promise<void> {
  const { host } = context;
  const [mark, boot] = [await readMark(host), await bootId(host)];
  const lacking = await missing(context);
  const suspect = mark && mark.boot !== boot ? suspects(context, mark, lacking) : undefined;
  const names = [...new Set([...(mark?.images ?? []), ...(suspect ?? lacking).map(localImage)])];
  // Keep the earlier boot in the mark, so that suspect images stay suspect until they are on disk.
  const markedBoot = suspect && mark ? mark.boot : boot;
  let pending = names;
  await writeMark(host, markedBoot, pending);
  const flush = async (flushed: readonly string[]) => {
    if (pending.length === 0) return;
    await host.run('sync', [], { seconds: 3600 });
    pending = pending.filter((name) => !flushed.includes(name));
    await writeMark(host, markedBoot, pending);
  };
  const imported = (image: ReleaseImage) => flush([localImage(image)]);
  if (suspect) await reimportImages(context, suspect, names, imported);
  else await importImages(context, lacking, imported);
  await flush(pending);
  await forgetSources(context);
  if ((await missing(context)).length > 0) return;
  await dropBundled(context, blobsFolder, {
    en: 'the bundled images, which Docker has imported',
    zh: '发布包中已由 Docker 导入的镜像',
  });
}

async function prove(context: Context): Promise<void> {
  const wrong = await missing(context);
  if (wrong.length === 0) return;
  throw new LandfallError('IMAGE_MISMATCH', 'Docker is missing images of this release', {
    hint: {
      en: 'Stop other programs that tag images as landfall.local/….',
      zh: '停止其他把镜像标记为 landfall.local/… 的程序。',
    },
    problems: wrong.map(({ component }) => ({
      message: `${component} is missing or another image`,
    })),
  });
}

/** Returns the images of the mark and the missing ones, of which Docker may have damaged layers. */
function suspects(
  { release, site }: Context,
  { images }: Mark,
  lacking: readonly ReleaseImage[],
): ReleaseImage[] {
  return chosenImages(release, site).filter(
    (image) => lacking.includes(image) || (images?.includes(localImage(image)) ?? true),
  );
}

async function missing({ host, release, site }: Context): Promise<ReleaseImage[]> {
  const images = chosenImages(release, site);
  const there = await Promise.all(images.map((image) => hasImage(host, image)));
  return images.filter((_, index) => !there[index]);
}

/**
 * Returns whether Docker has the image of the release under its local name. The ID of an image is the
 * digest of its configuration in the classic store, and of its manifest or index in the containerd
 * store.
 */
async function hasImage(host: Host, image: ReleaseImage): Promise<boolean> {
  const id = await imageId(host, localImage(image));
  if (id === undefined) return false;
  if (image.config === null) return true;
  return [image.config, image.manifest, image.index].includes(id);
}

/** Returns undefined if there is no such image, or no Docker. */
async function imageId(host: Host, name: string): Promise<string | undefined> {
  const args = ['image', 'inspect', '--format', '{{.Id}}', name];
  const found = await host.runIfInstalled('docker', args, { accept: [1] });
  return found?.code === 0 ? found.stdout.trim() : undefined;
}

/** A name with a digest, except our own: the containerd store adds digests to it. */
const pulledName = /^(?!landfall\.local\/)[a-z0-9][a-z0-9._:/-]*@sha256:[0-9a-f]{64}$/;

/**
 * Removes the names under which images of the release were pulled. A run that was killed can leave
 * one, with the port of a loopback registry that no longer exists.
 * @throws LandfallError COMMAND_FAILED
 */
export async function forgetSources({
  host,
  release,
  site,
}: Pick<Context, 'host' | 'release' | 'site'>): Promise<void> {
  for (const image of chosenImages(release, site)) {
    for (const name of await pulledNames(host, localImage(image))) {
      await host.run('docker', ['image', 'rm', '--no-prune', name], { accept: [1] });
    }
  }
}

async function pulledNames(host: Host, image: string): Promise<string[]> {
  const format = '{{range .RepoDigests}}{{println .}}{{end}}';
  const args = ['image', 'inspect', '--format', format, image];
  const { stdout } = await host.run('docker', args, { accept: [1] });
  return stdout.split('\n').filter((line) => pulledName.test(line));
}

/**
 * Imports images again that a power cut may have damaged. Docker's copies are all removed first,
 * because images share layers. Docker may keep a damaged layer; removing the damaged image also removes
 * the layer, so the second import is complete.
 * @param doomed local names to remove: those of the images, and other suspect ones
 * @param verified called for each image after it was verified
 * @throws LandfallError IMAGE_MISMATCH, COMMAND_FAILED, NETWORK_UNREACHABLE
 */
async function reimportImages(
  context: Context,
  images: readonly ReleaseImage[],
  doomed: readonly string[],
  verified: Imported,
): Promise<void> {
  const { host, report } = context;
  report.say(
    inLanguage({
      en: 'importing images again: a power cut may have damaged them',
      zh: '重新导入镜像：断电可能损坏了它们',
    }),
  );
  for (const name of doomed) await forget(host, name);
  await importImages(context, images, async (image) => {
    const name = localImage(image);
    if (!(await isWhole(host, name))) {
      await forget(host, name);
      await importImages(context, [image]);
      if (!(await isWhole(host, name))) throw await damaged(host, image);
    }
    await verified(image);
  });
}

async function forget(host: Host, name: string): Promise<void> {
  await host.run('docker', ['image', 'rm', '--force', name], { accept: [1] });
}

/** Saving an image reads all files of its layers, and the classic store verifies checksums. */
async function isWhole(host: Host, name: string): Promise<boolean> {
  const args = ['-c', 'exec docker image save "$1" >/dev/null', 'sh', name];
  return (await host.run('sh', args, { seconds: 3600, accept: [1] })).code === 0;
}

/** The folders in the hint do not include volumes, so models and chats are kept. */
async function damaged(host: Host, { component }: ReleaseImage): Promise<LandfallError> {
  const folders =
    (await dockerImageStore(host)) === 'containerd'
      ? '/var/lib/containerd'
      : '/var/lib/docker/image and /var/lib/docker/overlay2';
  return new LandfallError('IMAGE_MISMATCH', "Docker's storage is damaged", {
    hint: {
      en: `Stop it with: sudo systemctl stop docker.socket docker containerd. Then move ${folders} away and restart the server. Models and chats are kept.`,
      zh: `先停止它：sudo systemctl stop docker.socket docker containerd。再移走 ${folders.replace(' and ', ' 和 ')}，并重启服务器。模型和对话会保留。`,
    },
    problems: [{ message: `${component} cannot be read` }],
  });
}

/** Exists from the start of an import until all images are flushed to disk. */
const markFile = 'var/lib/landfall/images-unsettled';

const markSchema = z.strictObject({
  /** The boot ID of the import. */
  boot: z.string().min(1).max(100),
  /** Local names of images that may not be on disk yet. */
  images: z.array(z.string().max(512)).max(1000),
});

/** The mark of an earlier import. */
interface Mark {
  readonly boot: string;
  /** Local names; undefined if the mark is damaged, so that all images are suspect. */
  readonly images?: readonly string[];
}

/** Reads the mark of an earlier run; undefined if all of its images are on disk. */
async function readMark(host: Host): Promise<Mark | undefined> {
  const text = await readText(host, markFile);
  if (text === undefined) return undefined;
  return readJson(markSchema, text) ?? { boot: 'unknown' };
}

/**
 * Records the images of an import that are not flushed to disk. Docker does not flush layers: after a
 * power cut it can list an image whose files contain zeros, and does not pull its layers again. An
 * image is only trusted after a power cut if the mark does not name it.
 */
async function writeMark(host: Host, boot: string, images: readonly string[]): Promise<void> {
  if (images.length === 0) return await removeFile(host, markFile);
  await writeText(host, markFile, `${JSON.stringify({ boot, images })}\n`);
}
