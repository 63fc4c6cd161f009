import { X509Certificate } from 'node:crypto';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { legoVersion } from '#contract/site/certificates/provider-table.ts';
import { shortHours } from '../../integration/acme/pebble.ts';
import { needs } from '../../integration/needs.ts';
import { AddressServer } from './address-server.ts';

const real = needs('pebble', 'newerPebble', 'lego');
const addresses = ['127.0.0.80', '::1'];

/** The tests run in order: the second certificate replaces the first one. */
real.describe('a certificate for the addresses of a server', () => {
  let server: AddressServer;
  let serial: string;

  beforeAll(async () => {
    server = await AddressServer.start(real, addresses);
  });
  afterAll(() => server?.close());

  it('uses the lego of the release', async () => {
    const { stdout } = await execa(real.lego, ['--version']);
    expect(stdout).toContain(`lego version ${legoVersion} `);
  });

  it('obtains a certificate for IPv4 and IPv6 addresses', async () => {
    const { pair, open } = await server.ensure();
    expect(open).toEqual([]);
    const leaf = new X509Certificate(pair?.chain ?? '');
    serial = leaf.serialNumber;
    expect(leaf.subjectAltName?.split(', ').sort()).toEqual([
      'IP Address:0:0:0:0:0:0:0:1',
      'IP Address:127.0.0.80',
    ]);
    expect(leaf.verify(new X509Certificate(await server.pebble.intermediate()).publicKey)).toBe(
      true,
    );
  });

  it('uses the short profile, which authorities require for addresses', async () => {
    const { pair } = await server.ensure();
    const { validFromDate, validToDate } = new X509Certificate(pair?.chain ?? '');
    const hours = (validToDate.getTime() - validFromDate.getTime()) / 3_600_000;
    expect(Math.round(hours)).toBe(shortHours);
  });

  it('keeps a certificate for addresses until its renewal is due', async () => {
    const { pair, open } = await server.ensure();
    expect(open).toEqual([]);
    expect(new X509Certificate(pair?.chain ?? '').serialNumber).toBe(serial);
  });

  it('renews a certificate for addresses on demand', async () => {
    const { pair, open } = await server.ensure({ force: true });
    expect(open).toEqual([]);
    expect(new X509Certificate(pair?.chain ?? '').serialNumber).not.toBe(serial);
  });
});
