import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import type { Pair } from './pair.ts';

interface Wanted {
  /** What a person sees as the certificate's subject. */
  readonly subject: string;
  /** Host names and addresses; the certificate names nobody when there are none. */
  readonly names: readonly string[];
  /** Whether it is to sign others. */
  readonly authority?: boolean;
  readonly days: number;
}

/**
 * A new key (P-256) and its certificate: signed by an authority, or by itself where none is given.
 * openssl makes it, because Node has nothing that could; keys stay in a folder of root that is gone
 * afterwards.
 * @throws LandfallError COMMAND_FAILED with what openssl said
 */
export async function makePair(host: Host, wanted: Wanted, signer?: Pair): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-certificate-'));
  const file = (name: string) => join(folder, name);
  try {
    await writeFile(file('request.conf'), requestSettings(wanted));
    if (signer) {
      await writeFile(file('ca.pem'), signer.chain);
      await writeFile(file('ca.key'), signer.key, { mode: 0o600 });
    }
    await host.run('openssl', [
      ...['req', '-x509', '-new', '-batch', '-config', file('request.conf'), '-sha256'],
      ...['-days', `${wanted.days}`, '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
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

/** Settings for `openssl req`; names were checked by the site's schema and hold no line breaks. */
function requestSettings({ subject, names, authority = false }: Wanted): string {
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
    ...(authority ? [] : ['extendedKeyUsage = serverAuth']),
    ...(alternatives.length > 0 ? [`subjectAltName = ${alternatives.join(', ')}`] : []),
    '',
  ].join('\n');
}
