import { stackFolder } from '#contract/server-paths.ts';
import {
  authorityFolder,
  internalAuthority,
  isSignedBy,
} from '../../server/certificates/internal-authority.ts';
import type { Pair } from '../../server/certificates/pair.ts';
import { readPair } from '../../server/certificates/pair-folder.ts';
import type { Host } from '../../server/host/host.ts';
import { install, isInPlace, type Service } from '../../server/host/service.ts';
import { authorityFile } from '../stack/gateway/certificate-files.ts';

const publishedAt = (text: string): Service => ({
  files: [{ path: `${stackFolder}/${authorityFile}`, text }],
});

/** Publishes the certificate of the server's own authority at the gateway, without its key. */
export async function publishAuthority(host: Host): Promise<void> {
  const { chain } = await internalAuthority(host);
  await install(host, publishedAt(chain));
}

/** Returns whether the server's own authority issued a certificate, and is published. */
export async function isOfAuthority(host: Host, pair: Pair): Promise<boolean> {
  const authority = await readPair(host, authorityFolder);
  if (!authority || !isSignedBy(pair, authority)) return false;
  return await isInPlace(host, publishedAt(authority.chain));
}
