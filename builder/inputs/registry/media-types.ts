/**
 * The media types of images, OCI (image-spec, "Media Types") and Docker (distribution, "Image
 * Manifest V2, Schema 2"). Docker does not run images of any other type.
 */
const ociIndex = 'application/vnd.oci.image.index.v1+json';
export const ociManifest = 'application/vnd.oci.image.manifest.v1+json';
export const ociConfig = 'application/vnd.oci.image.config.v1+json';
export const ociLayer = 'application/vnd.oci.image.layer.v1.tar';

const dockerList = 'application/vnd.docker.distribution.manifest.list.v2+json';
const dockerManifest = 'application/vnd.docker.distribution.manifest.v2+json';
const dockerConfig = 'application/vnd.docker.container.image.v1+json';
const dockerLayer = 'application/vnd.docker.image.rootfs.diff.tar';

const indexTypes: readonly string[] = [ociIndex, dockerList];
const manifestTypes: readonly string[] = [ociManifest, dockerManifest];
const configTypes: readonly string[] = [ociConfig, dockerConfig];
const layerTypes: readonly string[] = [
  ociLayer,
  `${ociLayer}+gzip`,
  `${ociLayer}+zstd`,
  dockerLayer,
  `${dockerLayer}.gzip`,
  `${dockerLayer}.zstd`,
];

/** The Accept header for manifests, indexes first. */
export const acceptedManifests = [...indexTypes, ...manifestTypes].join(', ');

type DocumentKind = 'index' | 'manifest' | 'schema1';

/** Returns the kind of document that a media type declares; undefined for unknown types. */
export function kindOf(mediaType: string | undefined): DocumentKind | undefined {
  if (mediaType === undefined) return undefined;
  if (indexTypes.includes(mediaType)) return 'index';
  if (manifestTypes.includes(mediaType)) return 'manifest';
  return mediaType.startsWith('application/vnd.docker.distribution.manifest.v1+')
    ? 'schema1'
    : undefined;
}

/** Returns the OCI type for a document without `mediaType`, which is optional there. */
export function ociTypeOf(kind: 'index' | 'manifest'): string {
  return kind === 'index' ? ociIndex : ociManifest;
}

export function isConfigType(mediaType: string): boolean {
  return configTypes.includes(mediaType);
}

export function isLayerType(mediaType: string): boolean {
  return layerTypes.includes(mediaType);
}

/** Layers that registries do not store: old Windows base layers and OCI non-distributable ones. */
export function isForeignLayerType(mediaType: string): boolean {
  return (
    mediaType.startsWith('application/vnd.docker.image.rootfs.foreign.') ||
    mediaType.startsWith('application/vnd.oci.image.layer.nondistributable.')
  );
}
