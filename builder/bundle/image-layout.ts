import { localImage } from '#contract/bundle/release-name.ts';
import { encodeCanonicalJson } from '#contract/text/canonical-json.ts';
import { architectureOf, type Platform } from '../platform.ts';
import type { PlatformImage } from '../sources/source.ts';
import { type Entry, fileEntry } from './entry.ts';

/**
 * Returns the two files that make an unpacked full bundle an OCI image layout (OCI image-spec,
 * "Image Layout"), so that standard tools can read it. The index lists the manifests of the
 * bundle's platform under the image names of the server.
 */
export function imageLayout(
  images: ReadonlyArray<{ readonly component: string; readonly image: PlatformImage }>,
  version: string,
): Entry[] {
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: images.map(({ component, image }) => ({
      mediaType: image.manifest.descriptor.mediaType,
      digest: image.manifest.descriptor.digest,
      size: image.manifest.descriptor.size,
      platform: ociPlatform(image.platform),
      annotations: { 'org.opencontainers.image.ref.name': localImage(component, version) },
    })),
  };
  return [
    fileEntry('oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}\n')),
    fileEntry('index.json', encodeCanonicalJson(index)),
  ];
}

function ociPlatform(platform: Platform): { architecture: string; os: string } {
  return { architecture: architectureOf(platform), os: 'linux' };
}
