import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { bootId } from '../host/boot-id.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { bringInAgain } from './bring-in-again.ts';
import { dropBlobs } from './drop-blobs.ts';
import { hasImage } from './engine-images.ts';
import { forgetSources } from './forget-sources.ts';
import { importImages } from './import-images.ts';
import { type Mark, PendingImages, readMark } from './unsettled.ts';

/** The release's images in the engine, under their local names. */
export const imagesStage: Stage = {
  name: 'images',
  title: 'images: what the stack runs',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const mark = await readMark(context.host);
  if (mark && mark.boot !== (await bootId(context.host)))
    return ['bring images in again, which a power cut may have damaged'];
  const todo = (await missing(context)).map(
    ({ component }) => `bring in the image of ${component}`,
  );
  return mark && todo.length === 0 ? ['wait until the images are on the disk'] : todo;
}

/**
 * A mark of this start of the machine is that of a run which failed or was killed: what it brought
 * in is whole, and only the rest comes. One of another start may be that of a power cut.
 */
async function apply(context: Context): Promise<void> {
  const { host, release } = context;
  const [mark, boot] = [await readMark(host), await bootId(host)];
  const lacking = await missing(context);
  const suspect = mark && mark.boot !== boot ? suspects(context, mark, lacking) : undefined;
  const nameOf = ({ component }: ReleaseImage) => localImage(component, release.version);
  const names = [...new Set([...(mark?.images ?? []), ...(suspect ?? lacking).map(nameOf)])];
  // Until a suspect image is settled, it stays one: the start that it came in is kept.
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
  throw new LandfallError('IMAGE_MISMATCH', 'the engine has not the images of the release', {
    hint: 'Another program that tags landfall.local/… must not run here.',
    problems: wrong.map(({ component }) => ({
      message: `${component} is another image or none`,
    })),
  });
}

/** What a mark names, and what is not there at all: the engine may have broken layers of it. */
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
