import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installSitePair } from '../../../../appliance/certificates/gateway-pairs.ts';
import { makePair } from '../../../../appliance/certificates/make-pair.ts';
import { certificateCheck } from '../../../../appliance/doctor/checks/certificate.ts';
import { Host } from '../../../../appliance/host/host.ts';
import { runCommand } from '../../../../appliance/host/run/command.ts';
import { contextFor } from '../../context.ts';

let root: string;
let host: Host;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-doctor-'));
  host = new Host(root, runCommand);
});
afterAll(() => rm(root, { recursive: true }));

const site = { hosts: { ui: 'chat.example.com' }, tls: { mode: 'internal' } };

async function texts(differences = { site }): Promise<string[]> {
  if (certificateCheck.needs !== 'site') return [];
  const findings = await certificateCheck.run(contextFor(host, differences));
  expect(findings.filter(({ code }) => code !== 'CERTIFICATE_INVALID')).toEqual([]);
  return findings.map(({ text }) => text);
}

async function install(names: readonly string[], days: number): Promise<void> {
  await installSitePair(host, await makePair(host, { subject: 'x', names: [...names], days }));
}

describe('the check of the certificate', () => {
  it('finds a missing one', async () => {
    expect(await texts()).toEqual(['no certificate is installed']);
  });

  it.runIf(process.getuid?.() === 0)('accepts a valid one', async () => {
    await install(['chat.example.com'], 90);
    expect(await texts()).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)('finds one for another name', async () => {
    await install(['other.example.com'], 90);
    expect(await texts()).toEqual(['the certificate is not valid for chat.example.com']);
  });
});
