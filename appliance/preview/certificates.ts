import { makePair } from '../certificates/make-pair.ts';
import { leafOf, type Pair } from '../certificates/pair.ts';
import { Host } from '../host/host.ts';
import type { RunCommand } from '../host/run/command.ts';
import { authorityFile, certificateFiles } from '../stack/gateway/certificate-files.ts';
import type { RenderedFile } from '../stack/rendered-file.ts';
import { plainFile } from '../stack/rendered-file.ts';

/** Names under which the gateway of a preview is reached. */
const names = ['localhost', '127.0.0.1'];
/** Browsers reject server certificates with a longer lifetime. Days. */
const days = 397;

/**
 * Creates the certificates of the gateway, signed by a new internal authority. The key of the
 * authority is not kept, so that a user who trusts the authority trusts only these certificates.
 * @param run runs openssl
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function makeCertificates(run: RunCommand): Promise<RenderedFile[]> {
  const host = new Host('/', run);
  const authority = await makePair(host, {
    subject: 'Landfall preview authority',
    names: [],
    authority: true,
    days,
  });
  const site = await makePair(host, { subject: 'localhost', names, days }, authority);
  const other = await makePair(host, { subject: 'unknown host', names: [], days });
  return [
    ...filesOf(certificateFiles.site, site),
    ...filesOf(certificateFiles.other, other),
    plainFile(authorityFile, authority.chain),
  ];
}

/** Paths of {@link makeCertificates}, relative to the stack's folder. */
export const certificatePaths: readonly string[] = [
  ...Object.values(certificateFiles).flatMap(({ chain, key }) => [chain, key]),
  authorityFile,
];

/** Returns whether a certificate chain is valid for another day. */
export function isCurrent(chain: string, now: Date): boolean {
  const tomorrow = new Date(now.getTime() + 24 * 60 * 60 * 1000);
  const leaf = leafOf(chain);
  return leaf !== undefined && leaf.validToDate > tomorrow;
}

function filesOf(paths: { chain: string; key: string }, { chain, key }: Pair): RenderedFile[] {
  return [plainFile(paths.chain, chain), plainFile(paths.key, key)];
}
