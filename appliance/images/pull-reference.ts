import type { ReleaseImage } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import { imageName, registryHost } from '../host/pull/image-name.ts';

/**
 * What to pull for an image of a thin bundle, in the order to try: from the site's mirror, then
 * from where it is at home. Always by digest, so that a mirror can give the right bytes or none.
 * Docker itself knows mirrors for its own hub only.
 */
export function pullReferences(
  { reference, manifest, index }: Pick<ReleaseImage, 'reference' | 'manifest' | 'index'>,
  { mirrors }: Pick<Site, 'mirrors'>,
): string[] {
  const { registry, repository } = imageName(reference);
  const suffix = `${repository}@${manifest ?? index}`;
  const mirror = mirrors.registries[registry];
  const home = `${registry}/${suffix}`;
  return mirror ? [`${mirrorName(mirror)}/${suffix}`, home] : [home];
}

function mirrorName(mirror: string): string {
  const url = new URL(mirror);
  return `${registryHost(url)}${url.pathname.replace(/\/+$/, '')}`;
}
