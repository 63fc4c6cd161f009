import { rm } from 'node:fs/promises';
import type { Pair } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import { makeFolder, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Authority } from './authority.ts';

/** What certbot's container is given of the server; `compose.yaml` names the parts. */
const acmeFolder = 'var/lib/landfall/acme';
const challenges = `${acmeFolder}/challenges/.well-known/acme-challenge`;
const caName = 'landfall-authority.pem';

/** What certbot wrote in its last run, for who wants to know more than the message says. */
export const acmeLog = `${acmeFolder}/logs/letsencrypt.log`;
/** The authority's own certificate as the container sees it. */
export const caInContainer = `/etc/letsencrypt/${caName}`;
/** Where the container puts answers for the authority. */
export const webroot = '/var/lib/landfall/challenges';

/** Makes the folders that certbot works in. Keys are for root alone. */
export async function prepareAcmeFolder(host: Host, { ca }: Authority): Promise<void> {
  for (const part of ['config', 'work', 'logs']) {
    await makeFolder(host, `${acmeFolder}/${part}`, { mode: 0o700 });
  }
  await makeFolder(host, challenges);
  if (ca !== undefined) await writeText(host, `${acmeFolder}/config/${caName}`, ca);
}

/** The newest certificate that the authority gave, or nothing. */
export async function issuedPair(host: Host, { lineage }: Authority): Promise<Pair | undefined> {
  return await readPair(host, `${acmeFolder}/config/live/${lineage}`);
}

/** Puts an answer where the gateway hands it out, as certbot would; gives its removal. */
export async function putAnswer(
  host: Host,
  token: string,
  answer: string,
): Promise<() => Promise<void>> {
  await makeFolder(host, challenges);
  await writeText(host, `${challenges}/${token}`, answer);
  return async () => await rm(host.path(challenges, token), { force: true });
}
