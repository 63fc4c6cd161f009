import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { motdFile, reportFile, stackFolder, statusFile } from '#contract/server-paths.ts';
import { inBoth } from '#contract/text/language.ts';
import { makePair } from '../../../../appliance/server/certificates/make-pair.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { takeRunLock } from '../../../../appliance/server/host/lock/run-lock.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { storedStatus } from '../../../../appliance/server/progress/status.ts';
import type { BilingualWarning, Warning } from '../../../../appliance/server/stage/reporter.ts';
import {
  certificate,
  sshFingerprints,
  updateCertificate,
} from '../../../../appliance/stages/report/fingerprints.ts';
import { storedReport } from '../../../../appliance/stages/report/stored-report.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { contextFor, smallSite } from '../../context.ts';
import { statusOf } from '../../server/progress/status-of.ts';
import { warningOf } from '../../server/stage/warning-of.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { answers, goodReport } from './fixture.ts';

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

const name = 'chat.example.com';
const early = certificateOf(`${name} has no A or AAAA record. Make one.`);
const other = warningOf('certificate: this text is not of one', { kind: 'swap' });
const warnings = [other, early];

function certificateOf(text: string): Warning {
  return { kind: 'certificate', subject: 'TLS_NAME', text };
}

function found(text: string): BilingualWarning {
  return { ...certificateOf(text), text: inBoth(text) };
}

/** A server whose DNS records and certificate came after the first boot. */
async function serverWithLateCertificate(site: Record<string, unknown> = {}) {
  const host = TemporaryHost.with({
    [reportFile.json]: JSON.stringify({ ...goodReport, warnings }),
    [statusFile]: JSON.stringify(statusOf(undefined, 'applied', { warnings })),
  });
  const tls = { mode: 'acme', accept_terms: true };
  const context = contextFor(host, { site: { hosts: { ui: name }, tls, ...site } });
  const tools = new Host(host.root, runCommand);
  const pair = await makePair(tools, { subject: 'some authority', names: [name], days: 90 });
  const chain = host.path(`${stackFolder}/gateway/tls/site/fullchain.pem`);
  await mkdir(dirname(chain), { recursive: true });
  await writeFile(chain, pair.chain);
  return { host, context };
}

const textOf = (host: Host, path: string) => readFileSync(host.path(path), 'utf8');

describe('a certificate that is issued after the first boot', () => {
  it('removes the warning from report and status (regression: it stayed until the next reboot)', async () => {
    const { host, context } = await serverWithLateCertificate();
    await updateCertificate(context, []);
    const report = await storedReport.read(host);
    expect(report?.warnings).toEqual([other]);
    expect(report?.certificate?.names).toBe(name);
    expect(report?.certificate?.sha256).not.toBe(goodReport.certificate?.sha256);
    expect(textOf(host, reportFile.text)).toContain(`SHA-256 ${report?.certificate?.sha256}`);
    expect(textOf(host, reportFile.text)).not.toContain('has no A or AAAA record');
    expect((await storedStatus.read(host))?.warnings).toEqual([other]);
  });

  it('keeps the end time of the first boot', async () => {
    const { host, context } = await serverWithLateCertificate();
    const before = await storedStatus.read(host);
    await updateCertificate(context, []);
    expect(await storedStatus.read(host)).toEqual({ ...before, warnings: [other] });
  });

  it('updates the login message', async () => {
    const { host, context } = await serverWithLateCertificate();
    await updateCertificate(context, [found('another thing')]);
    expect(textOf(host, motdFile.finished)).toContain('read 2 warnings');
    await updateCertificate(context, []);
    expect(textOf(host, motdFile.finished)).toContain('read 1 warning:');
  });

  it('updates the warning while it is still missing', async () => {
    const { host, context } = await serverWithLateCertificate();
    await updateCertificate(context, [found('port 80 does not answer\x1b[2J')]);
    const now = [other, certificateOf('port 80 does not answer')];
    expect((await storedReport.read(host))?.warnings).toEqual(now);
    expect((await storedStatus.read(host))?.warnings).toEqual(now);
  });

  it('writes nothing without a change', async () => {
    const { host, context } = await serverWithLateCertificate();
    await updateCertificate(context, []);
    writeFileSync(host.path(reportFile.text), 'as it was');
    await updateCertificate(context, []);
    expect(textOf(host, reportFile.text)).toBe('as it was');
  });

  it('does not change the status of a running first boot', async () => {
    const { host, context } = await serverWithLateCertificate();
    const held = await takeRunLock(host, 'first-boot');
    await updateCertificate(context, []);
    expect((await storedStatus.read(host))?.warnings).toEqual(warnings);
    expect((await storedReport.read(host))?.warnings).toEqual([other]);
    await held.release();
  });

  // Regression: a scheduled check with a proxy client held the lock of a first boot itself.
  it('changes the status beside another change', async () => {
    const { host, context } = await serverWithLateCertificate();
    const held = await takeRunLock(host, 'changes');
    await updateCertificate(context, []);
    expect((await storedStatus.read(host))?.warnings).toEqual([other]);
    await held.release();
  });

  it('creates neither report nor status if they are missing', async () => {
    const host = TemporaryHost.with({});
    await updateCertificate(contextFor(host), [found('something')]);
    expect(await storedReport.read(host)).toBeUndefined();
    expect(await storedStatus.read(host)).toBeUndefined();
  });
});
