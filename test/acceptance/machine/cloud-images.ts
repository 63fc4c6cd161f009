import type { Architecture } from '#contract/bundle/release-name.ts';

/** A cloud image and the list of checksums beside it. */
interface CloudImage {
  readonly url: URL;
  readonly sums: URL;
  readonly algorithm: 'sha256' | 'sha512';
}

const debian = (version: number, codename: string) => (arch: Architecture) => ({
  base: `https://cloud.debian.org/images/cloud/${codename}/latest/`,
  file: `debian-${version}-genericcloud-${arch}.qcow2`,
  algorithm: 'sha512' as const,
});
const ubuntu = (version: string) => (arch: Architecture) => ({
  base: `https://cloud-images.ubuntu.com/releases/${version}/release/`,
  file: `ubuntu-${version}-server-cloudimg-${arch}.img`,
  algorithm: 'sha256' as const,
});

const images = {
  'debian-12': debian(12, 'bookworm'),
  'debian-13': debian(13, 'trixie'),
  'ubuntu-24.04': ubuntu('24.04'),
  'ubuntu-26.04': ubuntu('26.04'),
};

export type ImageName = keyof typeof images;

export const imageNames = Object.keys(images) as ImageName[];

/** Returns the newest image of a distribution for an architecture. */
export function cloudImage(name: ImageName, arch: Architecture): CloudImage {
  const { base, file, algorithm } = images[name](arch);
  const sums = new URL(`${algorithm.toUpperCase()}SUMS`, base);
  return { url: new URL(file, base), sums, algorithm };
}

/**
 * Returns the checksum of a file in a list of sha256sum or sha512sum, in hex.
 * @throws Error if the list does not have exactly one
 */
export function checksumIn(list: string, file: string, algorithm: CloudImage['algorithm']): string {
  const digits = algorithm === 'sha256' ? 64 : 128;
  const line = new RegExp(`^([0-9a-f]{${digits}}) [ *](.+)$`);
  const found = list.split('\n').flatMap((text) => {
    const [, sum, name] = line.exec(text.trimEnd()) ?? [];
    return name === file && sum ? [sum] : [];
  });
  const [sum] = found;
  if (sum === undefined || found.length > 1) throw new Error(`no single checksum of ${file}`);
  return sum;
}
