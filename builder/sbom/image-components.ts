import type { ReleaseImage } from '#contract/bundle/release.ts';
import type { Program } from '../config/appliance-schema.ts';
import { type ImageReference, parseReference } from '../registry/reference.ts';
import { programRef } from './program-components.ts';
import { ociPurl } from './purl.ts';
import type { SbomComponent } from './sbom-component.ts';

/** Returns the component of an image and, for an assembled image, the component of its base. */
export function imageComponents(
  image: ReleaseImage,
  arch: string,
  program: Program | undefined,
): SbomComponent[] {
  const { component, reference, index, manifest, config, size, optional, base } = image;
  const ref = `image:${component}`;
  const baseRef = `${ref}:base`;
  const own: SbomComponent = {
    ref,
    ...container(reference, index, arch),
    sha256: manifest === null ? undefined : manifest.slice('sha256:'.length),
    optional,
    properties: {
      'landfall:component': component,
      'landfall:index': index,
      ...(manifest === null ? {} : { 'landfall:manifest': manifest }),
      ...(config === null ? {} : { 'landfall:config': config }),
      ...(size === null ? {} : { 'landfall:size': `${size}` }),
    },
    dependsOn: base ? [baseRef, ...(program ? [programRef(program)] : [])] : [],
  };
  if (!base) return [own];
  const below: SbomComponent = {
    ref: baseRef,
    ...container(base.reference, base.index, arch),
    optional,
    properties: { 'landfall:index': base.index },
  };
  return [own, below];
}

/** Returns name and package URL. A local image, such as `oci:folder`, has no package URL. */
function container(
  reference: string,
  index: string,
  arch: string,
): Pick<SbomComponent, 'type' | 'name' | 'version' | 'purl'> {
  const parsed = registryReference(reference);
  if (!parsed) return { type: 'container', name: reference };
  return {
    type: 'container',
    name: `${parsed.registry}/${parsed.repository}`,
    version: parsed.tag,
    purl: ociPurl(parsed, index, arch),
  };
}

function registryReference(reference: string): ImageReference | undefined {
  if (/^(?:docker-daemon|docker-archive|oci-archive|oci):/.test(reference)) return undefined;
  return parseReference(reference.replace(/^docker:\/\//, ''));
}
