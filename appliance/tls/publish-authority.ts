import { stackFolder } from '#contract/server-paths.ts';
import { leafOf } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { authorityFile } from '../stack/gateway/certificate-files.ts';
import { authorityPlace, internalAuthority } from './internal-authority.ts';

const published = `${stackFolder}/${authorityFile}`;

/** Puts the certificate of the server's own authority where browsers can fetch it, without its key. */
export async function publishAuthority(host: Host): Promise<void> {
  const { chain } = await internalAuthority(host);
  if (!(await isFile(host, published, chain))) await writeText(host, published, chain);
}

/** Whether it can be fetched as it is now. */
export async function isAuthorityPublished(host: Host): Promise<boolean> {
  const authority = await readPair(host, authorityPlace);
  return authority !== undefined && (await isFile(host, published, authority.chain));
}

/** The SHA-256 of the authority's certificate, to compare before installing it anywhere. */
export async function authorityFingerprint(host: Host): Promise<string | undefined> {
  return leafOf((await readPair(host, authorityPlace))?.chain ?? '')?.fingerprint256;
}
