import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install, isInPlace } from '../../../../appliance/server/host/service.ts';
import { dockerKey } from '../../../../appliance/stages/runtime/docker-key.ts';
import { dockerRepository } from '../../../../appliance/stages/runtime/install-docker.ts';
import { FaultyServer } from '../../../faulty-server/faulty-server.ts';
import { contextFor, type TestContext } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
let mirror: FaultyServer;

beforeEach(async () => {
  mirror = await FaultyServer.start({});
});
afterEach(() => mirror.close());

/** Returns a server with a mirror of Docker's packages. */
function serverWith(files: Readonly<Record<string, string>> = {}) {
  const docker = { source: 'docker', mirror: mirror.origin };
  const context = contextFor(TemporaryHost.with(files), { site: { docker } });
  return { context, textOf: (path: string) => readFileSync(context.host.path(path), 'utf8') };
}

const addRepository = (context: TestContext) => install(context.host, dockerRepository(context));
const hasRepository = (context: TestContext) => isInPlace(context.host, dockerRepository(context));

describe("Docker's repository", () => {
  it('gets the key that Landfall contains, and no key from the mirror', async () => {
    const { context, textOf } = serverWith();
    expect(await hasRepository(context)).toBe(false);
    await addRepository(context);
    expect(textOf(keyFile)).toBe(dockerKey);
    expect(textOf(sourcesFile)).toContain(`URIs: ${mirror.origin}/debian\n`);
    expect(await hasRepository(context)).toBe(true);
    expect(mirror.seen()).toEqual([]);
  });

  it.each([
    ['another key', (key: string) => key.replace('mQIN', 'mQIM')],
    ['a second key', (key: string) => key + key],
    ['no key', () => ''],
  ])('writes the repository of Docker again if its key file has %s', async (_, change) => {
    const first = serverWith();
    await addRepository(first.context);
    const { context, textOf } = serverWith({
      [keyFile]: change(dockerKey),
      [sourcesFile]: first.textOf(sourcesFile),
    });
    expect(await hasRepository(context)).toBe(false);
    await addRepository(context);
    expect(textOf(keyFile)).toBe(dockerKey);
    expect(await hasRepository(context)).toBe(true);
  });
});

interface Packet {
  readonly tag: number;
  readonly body: Buffer;
}

/** The packets of the key, all in the old format with a length of one or two bytes (RFC 4880, 4.2.1). */
function packets(): Packet[] {
  const base64 = dockerKey.split('\n').filter((line) => /^[A-Za-z0-9+/]+=*$/.test(line));
  const bytes = Buffer.from(base64.join(''), 'base64');
  const found: Packet[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes.readUInt8(at);
    expect(first & 0xc2).toBe(0x80);
    const width = (first & 0x01) + 1;
    const begin = at + 1 + width;
    at = begin + bytes.readUIntBE(at + 1, width);
    found.push({ tag: (first >> 2) & 0x0f, body: bytes.subarray(begin, at) });
  }
  return found;
}

/** SHA-1 over 0x99, two bytes of length, and the packet (RFC 4880, 12.2). */
function fingerprintOf({ body }: Packet): string {
  const prefix = Buffer.from([0x99, body.length >> 8, body.length & 0xff]);
  return createHash('sha1').update(prefix).update(body).digest('hex').toUpperCase();
}

describe("Docker's key", () => {
  it('contains the key of Docker with the fingerprint that Docker documents', () => {
    const [primary] = packets();
    expect(primary && fingerprintOf(primary)).toBe('9DC858229FC7DD38854AE2D88D81803C0EBFCD88');
  });

  it('contains one primary key of Docker with one signed user ID and one signed subkey', () => {
    expect(packets().map(({ tag }) => tag)).toEqual([6, 13, 2, 14, 2]);
  });

  it('contains the subkey of Docker that signs its package lists', () => {
    const subkey = packets().find(({ tag }) => tag === 14);
    expect(subkey && fingerprintOf(subkey)).toBe('D3306A018370199E527AE7997EA0A9C3F273FCD8');
  });

  it('contains the key of Docker as one block of armor', () => {
    expect(dockerKey).toMatch(
      /^-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n(?:[A-Za-z0-9+/]{1,64}=*\n)+=[A-Za-z0-9+/]{4}\n-----END PGP PUBLIC KEY BLOCK-----\n$/,
    );
  });
});
