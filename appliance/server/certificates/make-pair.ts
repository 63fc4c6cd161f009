import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import type { Pair } from './pair.ts';

interface CertificateRequest {
  /** Common name of the subject. */
  readonly subject: string;
  /** Host names and addresses for subjectAltName, which is left out if there are none. */
  readonly names: readonly string[];
  /** Whether the certificate is an authority. */
  readonly authority?: boolean;
  /** What it proves. Default: the identity of a server. */
  readonly usage?: 'serverAuth' | 'clientAuth';
  readonly days: number;
}

/**
 * Creates a P-256 key and a certificate, signed by `signer` or self-signed. Uses openssl, because Node
 * cannot create certificates. Keys are written to a temporary folder of root and deleted afterwards.
 * @throws LandfallError COMMAND_FAILED with the output of openssl
 */
export async function makePair(
  host: Host,
  request: CertificateRequest,
  signer?: Pair,
): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-certificate-'));
  const file = (name: string) => join(folder, name);
  try {
    await writeFile(file('request.conf'), requestSettings(request));
    if (signer) {
      await writeFile(file('ca.pem'), signer.chain);
      await writeFile(file('ca.key'), signer.key, { mode: 0o600 });
    }
    await host.run('openssl', [
      ...['req', '-x509', '-new', '-batch', '-config', file('request.conf'), '-sha256'],
      ...['-days', `${request.days}`, '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
      ...['-nodes', '-keyout', file('key.pem'), '-out', file('leaf.pem')],
      ...(signer ? ['-CA', file('ca.pem'), '-CAkey', file('ca.key')] : []),
    ]);
    const leaf = await readFile(file('leaf.pem'), 'utf8');
    return {
      chain: signer ? `${leaf}${signer.chain}` : leaf,
      key: await readFile(file('key.pem'), 'utf8'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Renders the configuration of `openssl req`. The site's schema has validated the names. */
function requestSettings({
  subject,
  names,
  authority = false,
  usage = 'serverAuth',
}: CertificateRequest): string {
  const alternatives = names.map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`);
  return [
    '[req]',
    'prompt = no',
    'distinguished_name = subject',
    'x509_extensions = extensions',
    '[subject]',
    `CN = ${subject}`,
    '[extensions]',
    `basicConstraints = critical, CA:${authority ? 'TRUE, pathlen:0' : 'FALSE'}`,
    `keyUsage = critical, ${authority ? 'keyCertSign, cRLSign' : 'digitalSignature'}`,
    ...(authority ? [] : [`extendedKeyUsage = ${usage}`]),
    ...(alternatives.length > 0 ? [`subjectAltName = ${alternatives.join(', ')}`] : []),
    '',
  ].join('\n');
}
