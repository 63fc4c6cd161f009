/** The two architectures a bundle is built for, in Debian's and Docker's spelling. */
export const architectures = ['amd64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** The base name of a bundle: `landfall-1.2.0-amd64`. */
export function releaseName(product: string, version: string, arch: Architecture): string {
  return `${product}-${version}-${arch}`;
}

/** The tag an image carries on the server, for thin and full bundles alike (DESIGN, "thin / full bundle"). */
export function localImage(component: string, version: string): string {
  return `landfall.local/${component}:${version}`;
}
