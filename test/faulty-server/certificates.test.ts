import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makePair } from '../../appliance/server/certificates/make-pair.ts';
import { Host } from '../../appliance/server/host/host.ts';
import { runCommand } from '../../appliance/server/host/run/command.ts';
import { CertificateAuthority } from './certificates.ts';

const serverAuth = '1.3.6.1.5.5.7.3.1';
const maxDays = 398;

interface Chain {
  readonly ca: string;
  readonly leaf: string;
}

async function testChain(): Promise<Chain> {
  const authority = new CertificateAuthority();
  return { ca: authority.cert, leaf: authority.issue().cert };
}

/** The certificates of the product, which other tests use. */
async function productChain(): Promise<Chain> {
  const host = new Host('/', runCommand);
  const ca = await makePair(host, { subject: 'authority', names: [], authority: true, days: 90 });
  const wanted = { subject: 'server', names: ['localhost', '127.0.0.1'], days: 90 };
  return { ca: ca.chain, leaf: (await makePair(host, wanted, ca)).chain };
}

/** The checks of Go's x509, OpenSSL in strict mode (Python since 3.13) and browsers. */
describe.each([
  ['the test authority', testChain],
  ['the product', productChain],
])('certificates of %s', (_name, chainOf) => {
  let chain: Chain;
  beforeAll(async () => {
    chain = await chainOf();
  });

  it('issues a CA that may sign, and a leaf certificate that must not', () => {
    const [ca, leaf] = [new X509Certificate(chain.ca), new X509Certificate(chain.leaf)];
    expect([ca.ca, leaf.ca]).toEqual([true, false]);
    expect(leaf.checkIssued(ca) && leaf.verify(ca.publicKey)).toBe(true);
  });

  it('name the server in the SAN, for server authentication', () => {
    const leaf = new X509Certificate(chain.leaf);
    expect(leaf.subjectAltName?.split(', ').sort()).toEqual([
      'DNS:localhost',
      'IP Address:127.0.0.1',
    ]);
    // Node's name for the extended key usage.
    expect(leaf.keyUsage).toEqual([serverAuth]);
  });

  it('issues certificates with a positive serial up to 20 bytes, SHA-256 and a short validity', () => {
    for (const pem of [chain.ca, chain.leaf]) {
      const found = new X509Certificate(pem);
      // Node omits leading zeros and writes a minus before a negative number, which BigInt rejects.
      const serial = BigInt(`0x${found.serialNumber}`);
      expect(serial).toBeGreaterThan(2n ** 63n);
      expect(serial).toBeLessThan(2n ** 159n);
      expect(found.signatureAlgorithm).toBe('ecdsa-with-SHA256');
      const days = (found.validToDate.getTime() - found.validFromDate.getTime()) / 86_400_000;
      expect(days).toBeLessThanOrEqual(maxDays);
    }
  });

  it('pass the strict checks of OpenSSL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'landfall-chain-'));
    const [ca, leaf] = [join(folder, 'ca.pem'), join(folder, 'leaf.pem')];
    writeFileSync(ca, chain.ca);
    writeFileSync(leaf, chain.leaf);
    const checks = ['-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'localhost'];
    const verified = execFileSync('openssl', ['verify', ...checks, '-CAfile', ca, leaf]);
    rmSync(folder, { recursive: true });
    expect(String(verified)).toContain(': OK');
  });
});
