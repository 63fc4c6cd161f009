import { unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { FolderHandle } from '#files/folder-handle.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { Pair } from '../../server/certificates/pair.ts';
import { readPair } from '../../server/certificates/pair-folder.ts';
import { makeFolder, readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { Authority } from './authority.ts';

/** Folder of certbot's files. `compose.yaml` mounts its subfolders into the container. */
const acmeFolder = 'var/lib/landfall/acme';
/** Log of certbot's last run. */
export const acmeLog = `${acmeFolder}/logs/letsencrypt.log`;
/** The mounted folder, and the folders in it that both certbot and this program create. */
const challenges = `${acmeFolder}/challenges`;
const challengePath = ['.well-known', 'acme-challenge'] as const;
const caName = 'landfall-authority.pem';

/** Certificate that verifies the authority's URL, inside of the container. */
export const caInContainer = `/etc/letsencrypt/${caName}`;
/** Folder of ACME challenges, inside of the container. */
export const webroot = '/var/lib/landfall/challenges';

/** Creates certbot's folders. Only root can read keys. */
export async function prepareAcmeFolder(host: Host, { ca }: Authority): Promise<void> {
  for (const name of ['config', 'work', 'logs']) {
    await makeFolder(host, `${acmeFolder}/${name}`, { mode: 0o700 });
  }
  await (await openChallenges(host))[Symbol.asyncDispose]();
  if (ca !== undefined) await writeText(host, `${acmeFolder}/config/${caName}`, ca);
}

/** Returns the latest certificate of the authority, or undefined. */
export async function issuedPair(host: Host, { lineage }: Authority): Promise<Pair | undefined> {
  const config = `${acmeFolder}/config`;
  return await readPair(host, `${config}/live/${lineage}`, config);
}

/** Returns the log of certbot's last run; undefined if there is none. */
export async function readAcmeLog(host: Host): Promise<string | undefined> {
  return await readText(host, acmeLog, dirname(acmeLog));
}

/** Publishes a challenge response at the gateway, as certbot does. @returns a function to remove it */
export async function putAnswer(
  host: Host,
  token: string,
  answer: string,
): Promise<() => Promise<void>> {
  await using folder = await openChallenges(host);
  await replaceFile(folder.path(token), answer, { mode: 0o644 });
  return async () => {
    await using found = await openChallenges(host);
    await unlink(found.path(token)).catch((error) => {
      if (!isMissing(error)) throw error;
    });
  };
}

/**
 * Opens the folder of challenges and creates it if it is missing. The container writes there too, so a
 * link could lead root to any folder of the server.
 * @throws LandfallError FILE_ACCESS
 */
async function openChallenges(host: Host): Promise<FolderHandle> {
  await makeFolder(host, challenges);
  let found = await FolderHandle.open(host.path(challenges));
  for (const name of challengePath) {
    await using parent = found;
    found = await parent.makeFolder(name).catch((cause: unknown) => {
      throw new LandfallError(
        'FILE_ACCESS',
        `/${challenges}/${challengePath.join('/')} is no folder`,
        {
          hint: `Remove /${challenges}, and run the command again.`,
          cause,
        },
      );
    });
  }
  return found;
}
