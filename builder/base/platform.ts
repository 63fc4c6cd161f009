import type { Architecture } from '#contract/bundle/release-name.ts';

/** A platform as in an image index. Only Linux is supported. */
export type Platform = `linux/${Architecture}`;

export const platforms = ['linux/amd64', 'linux/arm64'] as const satisfies readonly Platform[];

/** Returns the architecture of a platform: `amd64` for `linux/amd64`. */
export function architectureOf(platform: Platform): Architecture {
  return platform.slice('linux/'.length) as Architecture;
}
