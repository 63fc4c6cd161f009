/** The supported architectures, in the spelling of Debian and Docker. */
export const architectures = ['amd64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** Returns the base name of a bundle: `landfall-1.2.0-amd64`. */
export function releaseName(product: string, version: string, arch: Architecture): string {
  return `${product}-${version}-${arch}`;
}

/**
 * Returns the tag of an image on the server, for thin and full bundles (DESIGN, "thin / full
 * bundle").
 */
export function localImage(component: string, version: string): string {
  return `landfall.local/${component}:${version}`;
}
