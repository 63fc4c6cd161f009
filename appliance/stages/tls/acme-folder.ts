import { lstat, readdir, readFile, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { parseJson, readJson } from '#contract/text/json.ts';
import { FolderHandle } from '#files/folder-handle.ts';
import { isMissing } from '#files/open-regular.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { Pair } from '../../server/certificates/pair.ts';
import { makeFolder, readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import type { Authority } from './authority.ts';

/** Folder of lego's files. `compose.yaml` mounts its subfolders into the container. */
const acmeFolder = 'var/lib/landfall/acme';
/** Output of lego's last run. The container does not have it. */
export const acmeLog = `${acmeFolder}/last-run.log`;
/** Accounts, keys and certificates. */
const data = `${acmeFolder}/config`;
/** The mounted folder, and the folders in it that both lego and this program create. */
const challenges = `${acmeFolder}/challenges`;
const challengePath = ['.well-known', 'acme-challenge'] as const;
const caName = 'landfall-authority.pem';

/** {@link data}, inside of the container. */
export const dataInContainer = '/var/lib/lego';
/** Certificate that verifies the authority's URL, inside of the container. */
export const caInContainer = `${dataInContainer}/${caName}`;
/** Folder of ACME challenges, inside of the container. */
export const webroot = '/var/lib/landfall/challenges';

/** Creates lego's folders, and removes files that a power cut has truncated. Only root can read keys. */
export async function prepareAcmeFolder(host: Host, { ca }: Authority): Promise<void> {
  await makeFolder(host, data, { mode: 0o700 });
  await (await openChallenges(host))[Symbol.asyncDispose]();
  await removeTruncated(host.path(data));
  if (ca !== undefined) await writeText(host, `${data}/${caName}`, ca);
}

/**
 * Removes files that lego could not use: it would fail with each attempt. It writes them without waiting for
 * the disk, and an account before it is registered. An account without its file gets a new key.
 */
async function removeTruncated(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const whole: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const { size } = await lstat(path);
    if (size <= maxFile && isWhole(entry.name, await readFile(path, 'latin1'))) whole.push(path);
    else await rm(path);
  }
  const certificates = whole.filter((path) => dirname(path) === join(folder, 'certificates'));
  for (const path of certificates) {
    const base = path.replace(/(?:\.issuer)?\.[a-z]+$/, '');
    const isComplete = parts.every((part) => whole.includes(`${base}${part}`));
    if (!isComplete) await rm(path);
  }
}

/** The files of a certificate. lego renews none that lacks one of them, and requests no other. */
const parts = ['.crt', '.key', '.json'];

/** lego's files have a few kilobytes. The container could write larger ones. Bytes. */
const maxFile = 1024 * 1024;

function isWhole(name: string, text: string): boolean {
  if (/\.(?:key|crt|pem)$/.test(name)) return /-----END [A-Z ]+-----\s*$/.test(text);
  if (name === 'account.json') return readJson(registered, text) !== undefined;
  return !name.endsWith('.json') || parseJson(text) !== undefined;
}

/** Without a registration, lego looks for the account at the authority, which may never have had it. */
const registered = z.object({ registration: z.object({ status: z.string().min(1) }) });

/** Returns the latest certificate of the authority, or undefined. */
export async function issuedPair(host: Host, { lineage }: Authority): Promise<Pair | undefined> {
  const file = `${data}/certificates/${lineage}`;
  const chain = await readText(host, `${file}.crt`, data);
  const key = await readText(host, `${file}.key`, data);
  return chain === undefined || key === undefined ? undefined : { chain, key };
}

/** Publishes a challenge response at the gateway, as lego does. @returns a function to remove it */
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
