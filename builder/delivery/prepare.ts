import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import type { Server } from '../../appliance/host/server.ts';
import { bootSettings } from '../user-data/boot-settings.ts';
import { compareBootstrap, embeddedBootstrap } from '../user-data/embedded-bootstrap.ts';
import { type PinnedRelease, serverKeys } from '../user-data/pinned-release.ts';
import { serverFiles } from '../user-data/server-file.ts';
import type { Prepared } from './prepared.ts';

/** A verified release and its bundle on this computer. */
export interface LocalRelease {
  readonly pinned: PinnedRelease;
  /** Path of the bundle, or of one of its parts. */
  readonly path: string;
}

/** Returns the release for the architecture of a server. @throws LandfallError SERVER_UNFIT */
export function releaseFor({ arch }: Server, releases: readonly LocalRelease[]): LocalRelease {
  const found = releases.find(({ pinned }) => pinned.release.arch === arch);
  if (found) return found;
  const given = releases.map(({ pinned }) => pinned.release.arch).join(' and ');
  throw new LandfallError(
    'SERVER_UNFIT',
    `the server is ${arch ?? 'of an unknown architecture'}, the release is for ${given}`,
    {
      hint: 'Add the bundle of that architecture with --release, or use another server. Nothing was changed.',
    },
  );
}

/**
 * Prepares the files that user-data would write. They differ from those of a paste only in the source
 * of the bundle.
 * @throws LandfallError USER_DATA_MISMATCH, CONFIG_INVALID
 */
export function prepare(site: Site, { pinned, path }: LocalRelease): Prepared {
  const releases = [pinned];
  // The route of the site is for the Internet, not for the tunnel.
  const settings = bootSettings({ ...site, release: 'push', route: { mode: 'direct' } }, releases);
  const bootstrap = embeddedBootstrap(settings);
  compareBootstrap(bootstrap, releases);
  return {
    release: pinned.release,
    bundle: path,
    admin: site.admin.user,
    filesFor: (url) =>
      serverFiles({ ...settings, sources: [{ url }] }, site, serverKeys(releases), bootstrap),
  };
}
