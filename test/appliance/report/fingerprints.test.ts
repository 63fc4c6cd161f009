import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { stackFolder } from '#contract/server-paths.ts';
import { certificate, sshFingerprints } from '../../../appliance/report/fingerprints.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { smallSite } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { answers } from './fixture.ts';

const chain = `${stackFolder}/gateway/tls/site/fullchain.pem`;

describe('the fingerprints of the SSH host keys', () => {
  it('reads the fingerprints of the host keys that sshd uses, in the format of ssh', async () => {
    expect(await sshFingerprints(TemporaryHost.with({}, answers))).toEqual(['ED25519 SHA256:abc']);
  });
});

describe('the certificate', () => {
  const authority = new CertificateAuthority('some authority');
  const issued = authority.issue({ addresses: ['203.0.113.5'], names: ['chat.example.com'] });

  it('reports the fields of the certificate that a browser shows', async () => {
    const host = TemporaryHost.with({ [chain]: `${issued.cert}${authority.cert}` });
    mkdirSync(dirname(host.path('tmp/cert')), { recursive: true });
    writeFileSync(host.path('tmp/cert'), issued.cert);
    const shown = execFileSync(
      'openssl',
      ['x509', '-in', host.path('tmp/cert'), '-noout', '-fingerprint', '-sha256'],
      { encoding: 'utf8' },
    );
    expect(await certificate(host, smallSite)).toMatchObject({
      names: '203.0.113.5, chat.example.com',
      issuer: 'CN=some authority',
      sha256: shown.trim().split('=')[1],
      own: false,
      acme: false,
      trusted: false,
    });
  });

  it('marks the certificate as ACME if an ACME authority issued it', async () => {
    const host = TemporaryHost.with({ [chain]: `${issued.cert}${authority.cert}` });
    const tls = { ...smallSite.tls, mode: 'acme' } as const;
    expect(await certificate(host, { ...smallSite, tls })).toMatchObject({ acme: true });
    const ours = new CertificateAuthority('landfall self-signed').issue();
    const early = TemporaryHost.with({ [chain]: ours.cert });
    expect(await certificate(early, { ...smallSite, tls })).toMatchObject({ acme: false });
  });

  it('marks the certificate as trusted if browsers trust the issuer', async () => {
    const [known = ''] = rootCertificates;
    const found = await certificate(TemporaryHost.with({ [chain]: known }), smallSite);
    expect(found).toMatchObject({ trusted: true });
  });

  it('marks the certificate as own if the authority of Landfall issued it', async () => {
    const ours = new CertificateAuthority('landfall authority of this server').issue();
    const host = TemporaryHost.with({ [chain]: ours.cert });
    expect(await certificate(host, smallSite)).toMatchObject({ own: true });
  });

  it.each([
    ['it is missing', {}],
    ['the file is damaged', { [chain]: issued.cert.slice(0, 200) }],
    ['the file is not a certificate', { [chain]: issued.key }],
  ])('returns no certificate if %s', async (_case, files) => {
    expect(await certificate(TemporaryHost.with(files), smallSite)).toBeNull();
  });
});
