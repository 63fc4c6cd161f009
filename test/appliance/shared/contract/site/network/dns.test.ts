import { describe, expect, it } from 'vitest';
import { addressesOf, dns, parseNameServer, renderResolved } from '#contract/site/network/dns.ts';

const isValid = (...nameserver: string[]) => dns.safeParse({ nameserver }).success;

describe('the DNS servers of a site', () => {
  it.each(['9.9.9.9', '10.0.0.2', '2620:fe::fe', '9.9.9.9#dns.quad9.net'])('may be %s', (text) => {
    expect(isValid(text)).toBe(true);
  });

  it.each([
    ...['dns.quad9.net', '9.9.9', '9.9.9.9:53', '9.9.9.9#', '9.9.9.9#A B', '9.9.9.9\nDNS=6.6.6.6'],
    ...['127.0.0.53', '0.0.0.0', '224.0.0.1', '255.255.255.255', '::1', '::', 'ff02::1', ''],
    ...['fe80::1%eth0', '::ffff:127.0.0.1'],
  ])('may not be %j', (text) => expect(isValid(text)).toBe(false));

  it('accepts one to three different DNS servers of a site', () => {
    expect(isValid()).toBe(false);
    expect(isValid('1.1.1.1', '9.9.9.9', '8.8.8.8')).toBe(true);
    expect(isValid('1.1.1.1', '9.9.9.9', '8.8.8.8', '8.8.4.4')).toBe(false);
    expect(isValid('1.1.1.1', '1.1.1.1#one.one.one.one')).toBe(false);
  });

  it('accepts a site without DNS servers', () => expect(dns.parse(undefined)).toBeUndefined());

  it('may have the name of a certificate, which plain DNS ignores', () => {
    const nameserver = ['9.9.9.9#dns.quad9.net', '1.1.1.1'];
    expect(nameserver.map(parseNameServer)).toEqual([
      { address: '9.9.9.9', tlsName: 'dns.quad9.net' },
      { address: '1.1.1.1', tlsName: undefined },
    ]);
    expect(addressesOf({ nameserver })).toEqual(['9.9.9.9', '1.1.1.1']);
  });

  it.each(['Corp.example', 'corp example', '-corp', '~corp.example', ''])(
    'rejects the search domain %j of a site',
    (domain) => {
      expect(dns.safeParse({ nameserver: ['9.9.9.9'], search: [domain] }).success).toBe(false);
    },
  );
});

describe('the settings of systemd-resolved', () => {
  it('replace the servers of other files, and get all names', () => {
    const nameserver = ['9.9.9.9#dns.quad9.net', '2620:fe::fe'];
    const lines = renderResolved({ nameserver, search: ['corp.example'], tls: true }).split('\n');
    expect(lines.slice(1)).toEqual([
      '[Resolve]',
      'DNS=',
      'DNS=9.9.9.9#dns.quad9.net 2620:fe::fe',
      'Domains=',
      'Domains=~. corp.example',
      'DNSOverTLS=yes',
      '',
    ]);
  });

  it('do not encrypt without dns.tls', () => {
    expect(renderResolved({ nameserver: ['9.9.9.9'], search: [], tls: false })).toContain(
      'DNSOverTLS=no\n',
    );
  });
});
