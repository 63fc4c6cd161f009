import { stackFolder } from '#contract/server-paths.ts';
import { leafOf } from '../certificates/pair.ts';
import { readPair } from '../certificates/pair-folder.ts';
import type { Host } from '../host/host.ts';
import { install, isInPlace, type Service } from '../host/service.ts';
import { authorityFile } from '../stack/gateway/certificate-files.ts';
import { authorityFolder, internalAuthority } from './internal-authority.ts';

const publishedAt = (text: string): Service => ({
  files: [{ path: `${stackFolder}/${authorityFile}`, text }],
});

/** Publishes the certificate of the server's own authority at the gateway, without its key. */
export async function publishAuthority(host: Host): Promise<void> {
  const { chain } = await internalAuthority(host);
  await install(host, publishedAt(chain));
}

/** Returns whether the current certificate is published. */
export async function isAuthorityPublished(host: Host): Promise<boolean> {
  const authority = await readPair(host, authorityFolder);
  return authority !== undefined && (await isInPlace(host, publishedAt(authority.chain)));
}

/** Returns the SHA-256 of the authority's certificate, to verify it before it is installed. */
export async function authorityFingerprint(host: Host): Promise<string | undefined> {
  return leafOf((await readPair(host, authorityFolder))?.chain ?? '')?.fingerprint256;
}
