import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { bootSettingsFile, siteFile } from '#contract/server-paths.ts';
import { userName } from '#contract/site/user-name.ts';
import { readText } from '../../appliance/host/files.ts';
import { asciiJson } from '../user-data/ascii-json.ts';
import type { LocalRelease } from './prepare.ts';
import type { Prepared } from './prepared.ts';
import type { ServerSnapshot } from './server-snapshot.ts';

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
    release,
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
  try {
    return JSON.parse((await readText(host, path)) ?? '');
  } catch {
    throw new LandfallError('STATE_INVALID', `/${path} on the server is not valid JSON`, {
      hint: 'Create the server again with new user-data.',
    });
  }
}
