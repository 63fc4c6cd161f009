import type { Architecture } from '#contract/bundle/release-name.ts';

/** A platform as image indexes name it. Only Linux servers are built for. */
export type Platform = `linux/${Architecture}`;

export const platforms = ['linux/amd64', 'linux/arm64'] as const satisfies readonly Platform[];

/** The architecture of a platform: `amd64` of `linux/amd64`. */
export function architectureOf(platform: Platform): Architecture {
  return platform.slice('linux/'.length) as Architecture;
}
