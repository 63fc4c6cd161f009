import { chosenImages } from '#contract/chosen-images.ts';
import { LandfallError } from '#contract/errors.ts';
import type { ReleaseImage } from '#contract/release.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { bringInAgain } from './bring-in-again.ts';
import { dropBlobs } from './drop-blobs.ts';
import { hasImage } from './engine-images.ts';
import { forgetSources } from './forget-sources.ts';
import { importImages } from './import-images.ts';
import { areUnsettled, beginUnsettled, settle } from './unsettled.ts';

/** The release's images in the engine, under their local names. */
export const imagesStage: Stage = {
  name: 'images',
  title: 'images: what the stack runs',
  check: async (context) => {
    if (await areUnsettled(context.host))
      return ['bring the images in again, safe from power cuts'];
    return (await missing(context)).map(({ component }) => `bring in the image of ${component}`);
  },
  apply: async (context) => {
    const { host, release, site } = context;
    if (await areUnsettled(host)) await bringInAgain(context, chosenImages(release, site));
    else {
      await beginUnsettled(host);
      await importImages(context, await missing(context));
    }
    await forgetSources(context);
    await settle(host);
    if ((await missing(context)).length === 0) await dropBlobs(context);
  },
  prove: async (context) => {
    const wrong = await missing(context);
    if (wrong.length === 0) return;
    throw new LandfallError('IMAGE_MISMATCH', 'the engine has not the images of the release', {
      hint: 'It is tried again by itself. Another program that tags landfall.local/… must not run here.',
      problems: wrong.map(({ component }) => ({
        message: `${component} is another image or none`,
      })),
    });
  },
};

async function missing({ host, release, site }: Context): Promise<ReleaseImage[]> {
  const images = chosenImages(release, site);
  const there = await Promise.all(images.map((image) => hasImage(host, release.version, image)));
  return images.filter((_, index) => !there[index]);
}
