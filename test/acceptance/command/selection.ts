import { parseArgs } from 'node:util';
import { type Architecture, architectures } from '#contract/bundle/release-name.ts';
import { type ImageName, imageNames } from '../machine/cloud-images.ts';

/** The Debian 13 server of `npm run test:vm`, for machines that cannot reach the clouds' images. */
export const localServer = 'local' as const;

/** Selection of one call of `npm run acceptance`. */
export interface AcceptanceSelection {
  /** Folder of a release, or the URL of one of its release.json files. */
  readonly release: string;
  readonly image: ImageName | typeof localServer;
  readonly arch: Architecture;
}

export const usage = `npm run acceptance -- --release <folder|url> [--image <image>] [--arch <arch>]

Boots a fresh server in qemu, sets it up from user-data with this release, and runs its smoke tests.

  --release   folder with *.release.json, release.pub and the bundle, or the URL of a release.json
              next to the other files
  --image     ${imageNames.join(', ')}; or ${localServer}: Debian 13 built from the packages of this
              machine's mirror, amd64 only (default)
  --arch      ${architectures.join(', ')}; default: that of this machine`;

const options = {
  release: { type: 'string' },
  image: { type: 'string', default: localServer },
  arch: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'amd64' },
} as const;

/** Parses the arguments; returns undefined if one is unknown or missing. */
export function readAcceptance(args: readonly string[]): AcceptanceSelection | undefined {
  try {
    const { release, image: wanted, arch: named } = parseArgs({ args: [...args], options }).values;
    const image = [...imageNames, localServer].find((each) => each === wanted);
    const arch = architectures.find((each) => each === named);
    if (!release || !image || !arch) return undefined;
    return image === localServer && arch !== 'amd64' ? undefined : { release, image, arch };
  } catch {
    return undefined;
  }
}
