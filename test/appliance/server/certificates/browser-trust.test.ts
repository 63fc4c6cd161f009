import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePair } from '../../../../appliance/server/certificates/make-pair.ts';
import type { Pair } from '../../../../appliance/server/certificates/pair.ts';
import { isBrowserTrusted } from '../../../../appliance/server/certificates/trust.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';

let root: string;
let authority: Pair;
let other: Pair;
let site: Pair;
let selfSigned: Pair;
const leafOnly = (chain: string) =>
  `${chain.split('-----END CERTIFICATE-----\n')[0]}-----END CERTIFICATE-----\n`;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-trust-'));
  const host = new Host(root, runCommand);
  const ca = { subject: 'authority', names: [], authority: true, days: 9 };
  const leaf = { subject: 'site', names: ['chat.example.com'], days: 9 };
  authority = await makePair(host, ca);
  // Same name, different key.
  other = await makePair(host, ca);
  site = await makePair(host, leaf, authority);
  selfSigned = await makePair(host, leaf);
});
afterAll(() => rm(root, { recursive: true }));

describe('isBrowserTrusted', () => {
  it('accepts a chain to a trusted root, with or without the root', () => {
    expect(isBrowserTrusted(site.chain, [authority.chain])).toBe(true);
    expect(isBrowserTrusted(leafOnly(site.chain), [authority.chain])).toBe(true);
  });

  it('rejects a chain to a root with the same name and another key', () => {
    expect(isBrowserTrusted(leafOnly(site.chain), [other.chain])).toBe(false);
  });

  it("rejects self-signed certificates and those of Landfall's authority", () => {
    expect(isBrowserTrusted(selfSigned.chain)).toBe(false);
    expect(isBrowserTrusted(site.chain)).toBe(false);
  });

  it('rejects a trusted root appended to an unrelated certificate', () => {
    const known = rootCertificates[0] ?? '';
    expect(isBrowserTrusted(`${selfSigned.chain}${known}\n`)).toBe(false);
    expect(isBrowserTrusted(`${known}\n`)).toBe(true);
  });

  it.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'rejects %j as a trusted browser certificate',
    (text) => {
      expect(isBrowserTrusted(text)).toBe(false);
    },
  );
});
