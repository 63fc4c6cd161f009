import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { bootId } from '../host/boot-id.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { bringInAgain } from './bring-in-again.ts';
import { hasImage } from './docker-images.ts';
import { dropBlobs } from './drop-blobs.ts';
import { forgetSources } from './forget-sources.ts';
import { importImages } from './import-images.ts';
import { type Mark, PendingImages, readMark } from './pending-images.ts';

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
    return ['import images again that a power cut may have damaged'];
  const todo = (await missing(context)).map(({ component }) => `import the image of ${component}`);
  return mark && todo.length === 0 ? ['flush the images to disk'] : todo;
}

/**
 * Imports missing images. A mark from the current boot is from a failed run, whose images are intact.
 * A mark from an earlier boot may mean a power cut, so its images are suspect.
 */
async function apply(context: Context): Promise<void> {
  const { host, release } = context;
  const [mark, boot] = [await readMark(host), await bootId(host)];
  const lacking = await missing(context);
  const suspect = mark && mark.boot !== boot ? suspects(context, mark, lacking) : undefined;
  const nameOf = ({ component }: ReleaseImage) => localImage(component, release.version);
  const names = [...new Set([...(mark?.images ?? []), ...(suspect ?? lacking).map(nameOf)])];
  // Keep the earlier boot in the mark, so that suspect images stay suspect until they are settled.
  const unsettled = await PendingImages.begin(host, {
    boot: suspect && mark ? mark.boot : boot,
    images: names,
  });
  const settle = (image: ReleaseImage) => unsettled.settle([nameOf(image)]);
  if (suspect) await bringInAgain(context, suspect, names, settle);
  else await importImages(context, lacking, settle);
  await unsettled.settle();
  await forgetSources(context);
  if ((await missing(context)).length === 0) await dropBlobs(context);
}

async function prove(context: Context): Promise<void> {
  const wrong = await missing(context);
  if (wrong.length === 0) return;
  throw new LandfallError('IMAGE_MISMATCH', 'Docker is missing images of this release', {
    hint: 'Stop other programs that tag images as landfall.local/….',
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
    (image) =>
      lacking.includes(image) ||
      (images?.includes(localImage(image.component, release.version)) ?? true),
  );
}

async function missing({ host, release, site }: Context): Promise<ReleaseImage[]> {
  const images = chosenImages(release, site);
  const there = await Promise.all(images.map((image) => hasImage(host, release.version, image)));
  return images.filter((_, index) => !there[index]);
}
