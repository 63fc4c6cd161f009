import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { bootSettingsFile, siteFile } from '#contract/server-paths.ts';
import { asciiJson } from '#contract/site/brief-site.ts';
import type { Site } from '#contract/site/site.ts';
import { userName } from '#contract/site/user-name.ts';
import { parseJson } from '#contract/text/json.ts';
import { readText } from '../../../appliance/server/host/files.ts';
import type { Server } from '../../../appliance/server/host/server.ts';
import { type PinnedRelease, serverKeys } from '../../bundle/released/pinned-release.ts';
import { bootSettings, compareBootstrap, embeddedBootstrap } from '../user-data/boot-settings.ts';
import { type ServerFile, serverFiles } from '../user-data/server-file.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

/** What one server gets. */
export interface Prepared {
  /** The bundle on this computer, or one of its parts. */
  readonly bundle: string;
  /** The administrator's account on the server. */
  readonly admin: string;
  /** Returns the files to place, for a bootstrap that downloads from this URL. */
  filesFor(source: string): readonly ServerFile[];
}

const siteSchema = z.looseObject({
  admin: z.looseObject({ user: userName.default('ops') }),
});

/**
 * Prepares the one file that differs on a server with user-data: its settings of the bootstrap get the
 * source of the bundle, and the size of its parts. Keys and pin stay as they are.
 * @throws LandfallError STATE_INVALID for a server whose files are damaged
 */
export async function preparedByUserData(
  { host }: ServerSnapshot,
  { pinned: { release, partSize }, path }: LocalRelease,
): Promise<Prepared> {
  const boot = z.looseObject({}).parse(await jsonAt(host, bootSettingsFile));
  const { admin } = siteSchema.parse(await jsonAt(host, siteFile));
  const parts = partSize === undefined ? undefined : { [release.arch]: partSize };
  return {
    bundle: path,
    admin: admin.user,
    filesFor: (url) => [
      {
        path: `/${bootSettingsFile}`,
        content: asciiJson({ ...boot, parts, sources: [{ url }] }),
        secret: true,
      },
    ],
  };
}

async function jsonAt(host: ServerSnapshot['host'], path: string): Promise<unknown> {
  const value = parseJson((await readText(host, path)) ?? '');
  if (value !== undefined) return value;
  throw new LandfallError('STATE_INVALID', `/${path} on the server is not valid JSON`, {
    hint: {
      en: 'Create the server again with new user-data.',
      zh: '用新的 user-data 重新创建服务器。',
    },
  });
}

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
  const architectures = releases.map(({ pinned }) => pinned.release.arch).join(' and ');
  throw new LandfallError(
    'SERVER_UNFIT',
    `the server is ${arch ?? 'of an unknown architecture'}, the release is for ${architectures}`,
    {
      hint: {
        en: 'Add the bundle of that architecture with --release, or use another server. Nothing was changed.',
        zh: '用 --release 加上该架构的发布包，或换一台服务器。没有更改任何内容。',
      },
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
    bundle: path,
    admin: site.admin.user,
    filesFor: (url) =>
      serverFiles({ ...settings, sources: [{ url }] }, site, serverKeys(releases), bootstrap),
  };
}
