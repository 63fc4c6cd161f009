import semver from 'semver';
import type { Architecture } from '../bundle/release-name.ts';
import type { Channel, ChannelBundle, ChannelRelease } from './channel.ts';

/** The release that a server runs. */
interface Installed {
  readonly version: string;
  readonly arch: Architecture;
  readonly kind: 'thin' | 'full';
  /** The oldest release that the keys allow, set by rotations; null: any. */
  readonly floor: string | null;
}

/** What a channel has for a server. */
type Offer =
  | { readonly kind: 'up-to-date' }
  | {
      readonly kind: 'update';
      readonly release: ChannelRelease;
      readonly bundle: ChannelBundle;
      /** The newest release; another one if the server must install `release` first. */
      readonly newest: string;
      /** The most severe security problem that the update solves. */
      readonly security: ChannelRelease['security'];
    }
  /** There is a newer release, but none that updates from the installed one. */
  | { readonly kind: 'unreachable'; readonly newest: string; readonly updatesFrom: string };

/**
 * Returns the update for a server: the newest release that it can install directly. If a newer one
 * requires a release in between, that one is offered first. Withdrawn releases and those below the floor
 * are never offered.
 */
export function offerFor(
  { releases }: Pick<Channel, 'releases'>,
  { version, arch, kind, floor }: Installed,
): Offer {
  const later = releases.flatMap((release) => {
    const bundles = release.bundles[arch];
    const bundle = bundles?.[kind] ?? bundles?.thin ?? bundles?.full;
    const isOffered = release.withdrawn === null && semver.gt(release.version, version);
    const isAllowed = floor === null || !semver.lt(release.version, floor);
    return bundle && isOffered && isAllowed ? [{ release, bundle }] : [];
  });
  const [newest] = later;
  if (!newest) return { kind: 'up-to-date' };
  const direct = later.find(
    ({ release: { updatesFrom } }) => updatesFrom === null || !semver.lt(version, updatesFrom),
  );
  if (!direct) {
    const { updatesFrom } = newest.release;
    return { kind: 'unreachable', newest: newest.release.version, updatesFrom: `${updatesFrom}` };
  }
  const solved = later.filter(({ release }) => !semver.gt(release.version, direct.release.version));
  return {
    kind: 'update',
    ...direct,
    newest: newest.release.version,
    security: mostSevere(solved.map(({ release }) => release.security)),
  };
}

/** Returns why the installed release was withdrawn; undefined if it was not. */
export function withdrawalOf(
  { releases }: Pick<Channel, 'releases'>,
  { version }: Pick<Installed, 'version'>,
): string | undefined {
  return releases.find((release) => release.version === version)?.withdrawn?.reason;
}

const severities = ['none', 'moderate', 'critical'] as const;

function mostSevere(all: ReadonlyArray<ChannelRelease['security']>): ChannelRelease['security'] {
  return severities.findLast((each) => all.includes(each)) ?? 'none';
}
