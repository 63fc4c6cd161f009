import { modelSize } from '#contract/bundle/model-size.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Facts } from './load-facts.ts';
import { type ExpectedTimes, expectedTimes } from './progress/page/expected-times.ts';
import { localModels } from './stack/local-models.ts';

/** Returns how long each stage of a first boot is expected to take, by what the server installs. */
export function expectTimes({ release, site, server }: Facts): ExpectedTimes {
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  return expectedTimes({
    kind: release.kind,
    images: sum(chosenImages(release, site).map(({ size }) => size ?? 0)),
    models: sum(localModels(release, site, server).models.map(modelSize)),
  });
}
