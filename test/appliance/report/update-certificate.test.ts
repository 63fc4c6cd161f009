import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { motdFile, reportFile, stackFolder, statusFile } from '#contract/server-paths.ts';
import { makePair } from '../../../appliance/certificates/make-pair.ts';
import { Host } from '../../../appliance/host/host.ts';
import { takeRunLock } from '../../../appliance/host/lock/run-lock.ts';
import { runCommand } from '../../../appliance/host/run/command.ts';
import { readStatus } from '../../../appliance/progress/status.ts';
import { readReport } from '../../../appliance/report/stored-report.ts';
import { updateCertificate } from '../../../appliance/report/update-certificate.ts';
import type { Warning } from '../../../appliance/stage/warning.ts';
import { contextFor } from '../context.ts';
import { statusOf } from '../progress/status-of.ts';
import { warningOf } from '../stage/warning-of.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { goodReport } from './fixture.ts';

const name = 'chat.example.com';
const early = certificateOf(`${name} has no A or AAAA record. Make one.`);
const other = warningOf('certificate: this text is not of one', { kind: 'swap' });
const warnings = [other, early];

function certificateOf(text: string): Warning {
  return { kind: 'certificate', subject: 'TLS_NAME', text };
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
    const report = await readReport(host);
    expect(report?.warnings).toEqual([other]);
    expect(report?.certificate?.names).toBe(name);
    expect(report?.certificate?.sha256).not.toBe(goodReport.certificate?.sha256);
    expect(textOf(host, reportFile.text)).toContain(`SHA-256 ${report?.certificate?.sha256}`);
    expect(textOf(host, reportFile.text)).not.toContain('has no A or AAAA record');
    expect((await readStatus(host))?.warnings).toEqual([other]);
  });

  it('keeps the end time of the first boot', async () => {
    const { host, context } = await serverWithLateCertificate();
    const before = await readStatus(host);
    await updateCertificate(context, []);
    expect(await readStatus(host)).toEqual({ ...before, warnings: [other] });
  });

  it('updates the login message', async () => {
    const { host, context } = await serverWithLateCertificate();
    await updateCertificate(context, [certificateOf('another thing')]);
    expect(textOf(host, motdFile.finished)).toContain('read 2 warnings');
    await updateCertificate(context, []);
    expect(textOf(host, motdFile.finished)).toContain('read 1 warning:');
  });

  it('updates the warning while it is still missing', async () => {
    const { host, context } = await serverWithLateCertificate();
    await updateCertificate(context, [certificateOf('port 80 does not answer\x1b[2J')]);
    const now = [other, certificateOf('port 80 does not answer')];
    expect((await readReport(host))?.warnings).toEqual(now);
    expect((await readStatus(host))?.warnings).toEqual(now);
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
    expect((await readStatus(host))?.warnings).toEqual(warnings);
    expect((await readReport(host))?.warnings).toEqual([other]);
    await held.release();
  });

  // Regression: a scheduled check with a proxy client held the lock of a first boot itself.
  it('changes the status beside another change', async () => {
    const { host, context } = await serverWithLateCertificate();
    const held = await takeRunLock(host, 'changes');
    await updateCertificate(context, []);
    expect((await readStatus(host))?.warnings).toEqual([other]);
    await held.release();
  });

  it('creates neither report nor status if they are missing', async () => {
    const host = TemporaryHost.with({});
    await updateCertificate(contextFor(host), [certificateOf('something')]);
    expect(await readReport(host)).toBeUndefined();
    expect(await readStatus(host)).toBeUndefined();
  });
});
