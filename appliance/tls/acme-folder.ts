import { rm } from 'node:fs/promises';
import type { Pair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import { makeFolder, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Authority } from './authority.ts';

/** Folder of certbot's files. `compose.yaml` mounts its subfolders into the container. */
const acmeFolder = 'var/lib/landfall/acme';
const challenges = `${acmeFolder}/challenges/.well-known/acme-challenge`;
const caName = 'landfall-authority.pem';

/** Log of certbot's last run. */
export const acmeLog = `${acmeFolder}/logs/letsencrypt.log`;
/** Certificate that verifies the authority's URL, inside of the container. */
export const caInContainer = `/etc/letsencrypt/${caName}`;
/** Folder of ACME challenges, inside of the container. */
export const webroot = '/var/lib/landfall/challenges';

/** Creates certbot's folders. Only root can read keys. */
export async function prepareAcmeFolder(host: Host, { ca }: Authority): Promise<void> {
  for (const name of ['config', 'work', 'logs']) {
    await makeFolder(host, `${acmeFolder}/${name}`, { mode: 0o700 });
  }
  await makeFolder(host, challenges);
  if (ca !== undefined) await writeText(host, `${acmeFolder}/config/${caName}`, ca);
}

/** Returns the latest certificate of the authority, or undefined. */
export async function issuedPair(host: Host, { lineage }: Authority): Promise<Pair | undefined> {
  return await readPair(host, `${acmeFolder}/config/live/${lineage}`);
}

/** Publishes a challenge response at the gateway, as certbot does. @returns a function to remove it */
export async function putAnswer(
  host: Host,
  token: string,
  answer: string,
): Promise<() => Promise<void>> {
  await makeFolder(host, challenges);
  await writeText(host, `${challenges}/${token}`, answer);
  return async () => await rm(host.path(challenges, token), { force: true });
}
