import type { ReleaseImage } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import { imageName, registryHost } from '../host/pull/image-name.ts';

/**
 * Returns the references of an image to try in order: the site's mirror, then its own registry. They
 * have a digest, so a mirror cannot modify the image. Docker supports mirrors for Docker Hub only.
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
