import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  certificateCheck,
  dnsRecordsCheckWith,
} from '../../../../../appliance/operations/doctor/checks/certificate.ts';
import { installSitePair } from '../../../../../appliance/server/certificates/gateway-pairs.ts';
import { makePair } from '../../../../../appliance/server/certificates/make-pair.ts';
import { Host } from '../../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../../appliance/server/host/run/command.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { english } from '../look.ts';

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
  return findings.map(({ text }) => text.en);
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

describe('the check of DNS records', () => {
  const tls = { mode: 'acme', accept_terms: true };

  const admin = { user: 'ops', email: 'me@example.com', ssh_keys: ['ssh-ed25519 AAAA'] };

  const site = { hosts: { ui: 'chat.example.com' }, tls, admin };

  const address = [{ ifname: 'eth0', addr_info: [{ family: 'inet', local: '203.0.114.7' }] }];

  async function findings(differences: object, addresses: readonly string[] | undefined) {
    const check = dnsRecordsCheckWith(async () => addresses);
    const host = TemporaryHost.with({}, { 'ip -json address': JSON.stringify(address) });
    return await check.run(contextFor(host, { site: { ...site, ...differences } }));
  }

  it('names the missing record with its type and value', async () => {
    expect(await findings({}, [])).toEqual([
      {
        code: 'DNS_RECORD_MISSING',
        subject: 'chat.example.com',
        text: english('this DNS record is missing: chat.example.com A 203.0.114.7'),
        record: { name: 'chat.example.com', type: 'A', value: '203.0.114.7' },
      },
    ]);
  });

  it('finds a name of another server', async () => {
    // On most machines no server listens at this address.
    expect(await findings({}, ['127.9.8.7'])).toMatchObject([{ code: 'DNS_RECORD_MISSING' }]);
  });

  it('finds nothing if no DNS server responds, because another check reports that', async () => {
    expect(await findings({}, undefined)).toEqual([]);
  });

  it.each([{ tls: { mode: 'internal' } }, { hosts: {} }])(
    'does not apply to a site without a public certificate for names: %j',
    async (differences) => expect(await findings(differences, [])).toEqual([]),
  );
});
