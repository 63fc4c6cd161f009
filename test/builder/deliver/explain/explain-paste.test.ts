import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { encodeUtf8 } from '#contract/text/bytes.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { gzip } from '#platform/gzip.ts';
import type { Format } from '../../../../builder/deliver/user-data/providers.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { recoveryKey, releaseKey, secondKey } from '../../../simulator/keys.ts';
import { bothArchitectures, sourceUrl } from '../user-data/rendered.ts';
import { expectPlain } from './accepted-sites.ts';
import { explained, findingsOf, honest, honestText, site } from './paste.ts';

const every: readonly Format[] = ['cloud-config', 'multipart', 'gzip', 'shell'];
const sites = [
  ['a site with few fields', siteWith({ release: [sourceUrl] })],
  ['a site with a proxy', site],
  ['a server that waits for its bundle', siteWith({ release: 'push' })],
  ['DNS servers', siteWith({ release: [sourceUrl], dns: { nameserver: ['9.9.9.9'] } })],
  [
    'a SOCKS5 proxy',
    siteWith({ release: [sourceUrl], route: { mode: 'socks5', url: 'socks5h://10.0.0.2:1080' } }),
  ],
  [
    'a certificate authority',
    siteWith({ release: [sourceUrl], ca: new CertificateAuthority().cert }),
  ],
  [
    'a proxy password',
    siteWith({
      release: [sourceUrl],
      route: { mode: 'http-proxy', url: 'http://me:pw@10.0.0.2:7890' },
    }),
  ],
  [
    '16 SSH keys',
    siteWith({
      release: [sourceUrl],
      admin: { ssh_keys: new Array(16).fill(site.admin.ssh_keys[0]) },
    }),
  ],
] as const;

describe('explainPaste, for user-data of Landfall', () => {
  it.each(sites)('finds nothing in any format: %s', (_what, each) => {
    for (const format of every) {
      const { findings, format: found, scripts } = explained(honest({ format, site: each }));
      expect({ findings, found }).toEqual({ findings: [], found: format });
      expect(new Set(scripts.map(({ state }) => state))).toEqual(new Set(['released']));
    }
  });

  it('finds nothing for one architecture, parts, and one key', () => {
    const [one] = bothArchitectures;
    if (!one) throw new Error('there are two');
    expect(findingsOf(honest({ releases: [one] }), [one])).toEqual([]);
    expect(findingsOf(honest({ releases: [one] }))).toEqual([]);
    const parts = [{ ...one, partSize: 1_900_000_000 }];
    expect(findingsOf(honest({ releases: parts }), [one])).toEqual([]);
    const keys = { release: [releaseKey.public], recovery: undefined };
    const announced = { release: [releaseKey.public.spki], recovery: null };
    const own = [{ ...one, release: { ...one.release, keys: announced } }];
    expect(findingsOf(honest({ releases: own, keys }), own)).toEqual([]);
  });

  it('accepts the keys in another order than in the release', () => {
    const keys = { release: [secondKey.public, releaseKey.public], recovery: recoveryKey.public };
    expect(findingsOf(honest({ keys }))).toEqual([]);
  });

  it('never calls user-data plain without a release', () => {
    const { findings, scripts, isCompared } = explained(honest(), []);
    expect(findings).toMatchObject([{ kind: 'not-compared', subject: 'release' }]);
    expect(isCompared).toBe(false);
    expect(new Set(scripts.map(({ state }) => state))).toEqual(new Set(['not-compared']));
  });

  it('names an architecture without its release, and scripts without digests', () => {
    const [one] = bothArchitectures;
    if (!one) throw new Error('there are two');
    expect(findingsOf(honest(), [one])).toEqual([expect.stringMatching(/^not-compared arm64: /)]);
    const { bootstrap: _, ...older } = one.release;
    expect(findingsOf(honest({ releases: [one] }), [{ ...one, release: older }])).toEqual(
      ['bootstrap', 'unpack.py', 'fetch.py', 'landfall-boot.service'].map((name) =>
        expect.stringContaining(`${name} cannot be compared`),
      ),
    );
  });

  it('says which release, keys and sources it has', () => {
    const { facts } = explained(honest());
    expect(facts.boot).toMatchObject({ product: 'landfall', version: '1.2.0' });
    expect(facts.keys.map(({ role, key }) => `${role} ${formatKeyId(key.id)}`)).toEqual([
      `recovery ${formatKeyId(recoveryKey.public.id)}`,
      `release ${formatKeyId(releaseKey.public.id)}`,
      `release ${formatKeyId(secondKey.public.id)}`,
    ]);
    expect(facts.sources).toEqual([{ url: sourceUrl, via: 'http://10.0.0.2:7890' }]);
  });

  it.each(every)('explains random sites without a finding: %s', (format) => {
    expectPlain(format, fuzzRuns(10));
  });

  it('never calls user-data plain after a change of a byte', () => {
    const forms = every.map((format) => honest({ format }));
    const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        ...[fc.constantFrom(...forms), position, fc.integer({ min: 1, max: 255 })],
        (bytes, at, difference) => {
          const changed = Uint8Array.from(bytes);
          const index = Math.floor(at * bytes.length);
          changed[index] = (changed[index] ?? 0) ^ difference;
          expect(isPlain(changed)).toBe(isGzipHeader(bytes, index));
        },
      ),
      { numRuns: fuzzRuns(300) },
    );
  });
});

/** Rejected user-data is not plain. */
function isPlain(bytes: Uint8Array): boolean {
  try {
    return explained(bytes).findings.length === 0;
  } catch (error) {
    if (error instanceof LandfallError) return false;
    throw error;
  }
}

/** The time, the flags of the compressor and the system (RFC 1952, section 2.3) change nothing. */
function isGzipHeader(bytes: Uint8Array, index: number): boolean {
  return bytes[0] === 0x1f && index >= 4 && index <= 9;
}

describe('explainPaste, for hostile input', () => {
  const deep = '[ '.repeat(100_000);
  const bomb = Array.from(
    { length: 30 },
    (_, n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(n && 9)}]`,
  );

  it.each([
    ['10 MB', new Uint8Array(10e6), 'CONFIG_TOO_LARGE'],
    ['a program', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0xff, 0xfe, 0x80]), 'CONFIG_ENCODING'],
    ['UTF-16', Buffer.from(`\ufeff${honestText()}`, 'utf16le'), 'CONFIG_ENCODING'],
    ['UTF-16 without a mark', Buffer.from(honestText(), 'utf16le'), 'CONFIG_ENCODING'],
    ['a byte order mark', encodeUtf8(`\ufeff${honestText()}`), 'CONFIG_ENCODING'],
    ['a hidden character', encodeUtf8(`${honestText()}# \u202e\n`), 'CONFIG_ENCODING'],
    ['damaged gzip', honest({ format: 'gzip' }).subarray(0, -20), 'CONFIG_ENCODING'],
    ['gzip of zeros', gzip?.(new Uint8Array(50e6)) ?? new Uint8Array(), 'CONFIG_ENCODING'],
    ['gzip in gzip', gzip?.(honest({ format: 'gzip' })) ?? new Uint8Array(), 'CONFIG_ENCODING'],
    ['YAML that cannot be parsed', encodeUtf8('#cloud-config\na: [\n'), 'CONFIG_SYNTAX'],
    ['YAML that is nested deeply', encodeUtf8(`#cloud-config\na: ${deep}\n`), 'CONFIG_SYNTAX'],
  ])('rejects input with its reason: %s', (_what, bytes, code) => {
    expect(() => explained(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it('expands no alias bomb', () => {
    const findings = findingsOf(`#cloud-config\n${bomb.join('\n')}\n`);
    expect(findings).toContainEqual(expect.stringMatching(/^yaml &a0: /));
    expect(JSON.stringify(findings).length).toBeLessThan(20_000);
  });

  it('limits the number of findings', () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `x${n}: 1\n`).join('');
    expect(findingsOf(honestText() + lines)).toHaveLength(201);
    const files = Array.from({ length: 20_000 }, (_, n) => `- { path: /x${n} }\n`).join('');
    expect(findingsOf(`#cloud-config\nwrite_files:\n${files}`)).toHaveLength(201);
  });
});
