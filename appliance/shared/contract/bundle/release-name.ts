/** The supported architectures, in the spelling of Debian and Docker. */
export const architectures = ['amd64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** Returns the base name of a bundle: `landfall-1.2.0-amd64`. */
export function releaseName(product: string, version: string, arch: Architecture): string {
  return `${product}-${version}-${arch}`;
}

/** An image of a release, as its local name needs it. */
export interface TaggedImage {
  readonly component: string;
  /** Digest of the image index. */
  readonly index: string;
}

/**
 * Returns the tag of an image on the server: the first 12 hex digits of its index digest. An image that
 * two releases share keeps its name, so that an update replaces only the containers of other images.
 */
export function imageTag({ index }: Pick<TaggedImage, 'index'>): string {
  return index.replace('sha256:', '').slice(0, 12);
}

/**
 * Returns the name of an image on the server, for thin and full bundles (DESIGN, "thin / full
 * bundle").
 */
export function localImage(image: TaggedImage): string {
  return `landfall.local/${image.component}:${imageTag(image)}`;
}

/** Maximum number of parts, because their numbers have three digits. */
export const maxParts = 1000;

/** Returns the name of a part of `….tar`: `….tar.000`. The bootstrap requests the same names. */
export function partName(bundle: string, index: number): string {
  return `${bundle}.${String(index).padStart(3, '0')}`;
}

/** Returns the name of the bundle that a part belongs to. Other names stay unchanged. */
export function withoutPart(name: string): string {
  return name.replace(/\.tar\.\d{3}$/, '.tar');
}
