const families = {
  oci: {
    index: 'application/vnd.oci.image.index.v1+json',
    manifest: 'application/vnd.oci.image.manifest.v1+json',
    config: 'application/vnd.oci.image.config.v1+json',
  },
  docker: {
    index: 'application/vnd.docker.distribution.manifest.list.v2+json',
    manifest: 'application/vnd.docker.distribution.manifest.v2+json',
    config: 'application/vnd.docker.container.image.v1+json',
  },
} as const;

export type Format = keyof typeof families;

/** The media types of an image's documents, as OCI or as Docker writes them. */
export function mediaTypesOf(format: Format): (typeof families)[Format] {
  return families[format];
}

/** Layers are built once for all images, so they have OCI's type until an image refers to them. */
export function layerMediaType(compression: 'gzip' | 'zstd'): string {
  return `application/vnd.oci.image.layer.v1.tar+${compression}`;
}

/** Docker's older media types support only gzip. */
export function layerMediaTypeIn(format: Format, mediaType: string): string {
  return format === 'docker' ? 'application/vnd.docker.image.rootfs.diff.tar.gzip' : mediaType;
}
