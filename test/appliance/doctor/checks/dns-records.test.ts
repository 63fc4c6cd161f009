import { describe, expect, it } from 'vitest';
import { dnsRecordsCheckWith } from '../../../../appliance/doctor/checks/dns-records.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const tls = { mode: 'acme', accept_terms: true };
const admin = { user: 'ops', email: 'me@example.com', ssh_keys: ['ssh-ed25519 AAAA'] };
const site = { hosts: { ui: 'chat.example.com' }, tls, admin };
const address = [{ ifname: 'eth0', addr_info: [{ family: 'inet', local: '203.0.114.7' }] }];

async function findings(differences: object, addresses: readonly string[] | undefined) {
  const check = dnsRecordsCheckWith(async () => addresses);
  const host = TemporaryHost.with({}, { 'ip -json address': JSON.stringify(address) });
  if (check.needs !== 'site') throw new Error('the check needs the site');
  return await check.run(contextFor(host, { site: { ...site, ...differences } }));
}

describe('the check of DNS records', () => {
  it('names the missing record with its type and value', async () => {
    expect(await findings({}, [])).toEqual([
      {
        code: 'DNS_RECORD_MISSING',
        subject: 'chat.example.com',
        text: 'this DNS record is missing: chat.example.com A 203.0.114.7',
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
