import { lstat, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { internalPair } from '../../../../appliance/server/certificates/internal-authority.ts';
import { makePair } from '../../../../appliance/server/certificates/make-pair.ts';
import { checkPair, leafOf, type Pair } from '../../../../appliance/server/certificates/pair.ts';
import { readPair, writePair } from '../../../../appliance/server/certificates/pair-folder.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';

let root: string;
let host: Host;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'landfall-certificates-'));
  host = new Host(root, runCommand);
});
afterAll(() => rm(root, { recursive: true }));

const reasons = (pair: Pair, names: string[], now = new Date()) =>
  checkPair(pair, names, now).map(({ message }) => message);
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);

describe('a generated certificate', () => {
  let pair: Pair;
  beforeAll(async () => {
    const names = ['chat.example.com', '203.0.113.7', '2001:db8::7'];
    pair = await makePair(host, { subject: 'landfall', names, days: 90 });
  });

  it('generates a certificate that is valid for its host names and addresses, including IPv6', () => {
    expect(reasons(pair, ['chat.example.com', '203.0.113.7', '2001:db8::7'])).toEqual([]);
  });

  it('rejects a generated certificate for other names', () => {
    expect(reasons(pair, ['other.example.com', '203.0.113.8'])).toEqual([
      'the certificate is not valid for other.example.com',
      'the certificate is not valid for 203.0.113.8',
    ]);
  });

  it('expires', () => {
    expect(reasons(pair, [], inDays(91))).toEqual([
      expect.stringMatching(/^the certificate expired on/),
    ]);
  });

  it('cannot sign others', () => {
    expect(leafOf(pair.chain)?.ca).toBe(false);
  });

  it('rejects a generated certificate with another key', async () => {
    const other = await makePair(host, { subject: 'x', names: [], days: 1 });
    expect(reasons({ chain: pair.chain, key: other.key }, [])).toEqual([
      'the private key does not match the certificate',
    ]);
  });

  it.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
    'rejects %j as a certificate chain',
    (chain) => {
      expect(reasons({ chain, key: pair.key }, [])).toEqual([
        'the chain is not a certificate in PEM',
      ]);
    },
  );

  it('leaves no key in the temporary folder', async () => {
    // A separate folder, because other tests create pairs at the same time.
    const own = await mkdtemp(join(root, 'temporary-'));
    vi.stubEnv('TMPDIR', own);
    try {
      await makePair(host, { subject: 'x', names: [], days: 1 });
      expect(await readdir(own)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('the folder of a pair', () => {
  const place = 'var/lib/landfall/stack/gateway/tls/site';
  const owner = process.getuid?.() ?? 0;

  it('changes atomically and keeps no old key', async () => {
    const [first, second] = [
      await makePair(host, { subject: 'one', names: [], days: 1 }),
      await makePair(host, { subject: 'two', names: [], days: 1 }),
    ];
    await writePair(host, place, first, owner);
    await writePair(host, place, second, owner);
    expect(await readPair(host, place)).toEqual(second);
    expect((await lstat(host.path(place))).isSymbolicLink()).toBe(true);
    expect(await readdir(join(host.path(place), '..'))).toHaveLength(2);
  });

  it('makes the key readable only by its user', async () => {
    expect((await stat(host.path(place, 'privkey.pem'))).mode & 0o777).toBe(0o400);
  });

  it('keeps the folder of a pair unchanged if the same pair is written again', async () => {
    const pair = await readPair(host, place);
    if (pair) await writePair(host, place, pair, owner);
    expect(await readPair(host, place)).toEqual(pair);
  });

  it('finds no pair before one is written', async () => {
    expect(await readPair(host, 'nowhere')).toBeUndefined();
  });
});

describe("the server's own authority", () => {
  const names = ['chat.example.com'];

  it('signs a chain that browsers trust after importing its certificate', async () => {
    const pair = await internalPair(host, undefined, names);
    const authority = await readFile(host.path('etc/landfall/authority/ca/fullchain.pem'), 'utf8');
    const [leaf, issuer] = [leafOf(pair.chain), leafOf(authority)];
    expect(issuer?.ca).toBe(true);
    expect(issuer && leaf?.checkIssued(issuer)).toBe(true);
    expect(reasons(pair, names)).toEqual([]);
  });

  it('keeps a valid certificate and its own key', async () => {
    const pair = await internalPair(host, undefined, names);
    expect(await internalPair(host, pair, names)).toEqual(pair);
  });

  it('issues a new certificate for other names', async () => {
    const pair = await internalPair(host, undefined, names);
    const other = await internalPair(host, pair, ['other.example.com']);
    expect(reasons(other, ['other.example.com'])).toEqual([]);
  });

  it('replaces a certificate that it did not sign', async () => {
    const foreign = await makePair(host, { subject: 'x', names, days: 90 });
    expect(await internalPair(host, foreign, names)).not.toEqual(foreign);
  });
});
