import { parseArgs } from 'node:util';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { type ImageName, imageNames } from '../machine/cloud-images.ts';

/** The Debian 13 server of `npm run test:vm`, for machines that cannot reach the clouds' images. */
export const localServer = 'local' as const;

/** Selection of one call of `npm run acceptance`. */
export interface AcceptanceSelection {
  /** Folder of a release, or the URL of one of its release.json files; undefined: built from this checkout. */
  readonly release: string | undefined;
  readonly distribution: ImageName | typeof localServer;
  /** Path of a qcow2 image that replaces the one of the distribution. */
  readonly image: string | undefined;
  readonly arch: Architecture;
}

export const usage = `npm run acceptance -- [--distribution <name>] [--release <folder|url>] [--image <file>] [--arch <arch>]

Boots a fresh server in qemu, sets it up from user-data with a release, and runs its smoke tests.

  --distribution  ${imageNames.join(', ')}; or ${localServer}: Debian 13 built from the packages of this
                  machine's mirror, amd64 only (default)
  --release       folder with *.release.json, release.pub and the bundle, or the URL of a release.json next to
                  the other files; default: a thin release of this checkout, built with a new key
  --image         a qcow2 image instead of the cloud image of the distribution, which is downloaded
  --arch          ${architectures.join(', ')}; default: that of this machine`;

const options = {
  release: { type: 'string' },
  distribution: { type: 'string', default: localServer },
  image: { type: 'string' },
  arch: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'amd64' },
} as const;

/** Parses the arguments; returns undefined if one is unknown or contradicts another. */
export function readAcceptance(args: readonly string[]): AcceptanceSelection | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options });
    const { release, image } = values;
    const distribution = [...imageNames, localServer].find((each) => each === values.distribution);
    const arch = architectures.find((each) => each === values.arch);
    if (!distribution || !arch) return undefined;
    if (distribution === localServer && (arch !== 'amd64' || image)) return undefined;
    return { release, distribution, image, arch };
  } catch {
    return undefined;
  }
}
