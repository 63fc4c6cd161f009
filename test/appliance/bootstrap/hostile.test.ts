import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { inTurn, serve } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { replace } from '../../simulator/arrange.ts';
import { type Knobs, makeBundle, mtime, sha256, tinyFiles } from '../../simulator/bundle.ts';
import { evidenceAttacks } from '../../simulator/hostile/evidence.ts';
import { pathAttacks } from '../../simulator/hostile/paths.ts';
import { hostileBundles } from '../../simulator/hostile-bundles.ts';
import { secondKey, signDer, signDerOfLength, strangerKey } from '../../simulator/keys.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, installableFiles, pinOf } from './installable.ts';

/** Each test boots at least one server, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const folder = await workFolder();
const name = 'landfall-1.2.0-amd64.tar';
const releases = 'opt/landfall/releases';

/** Bundles by path, so that servers can boot concurrently. */
const offered = new Map<string, Buffer>();
let web: FaultyServer;
beforeAll(async () => {
  web = await FaultyServer.start((visit) => {
    const bundle = offered.get(visit.url.pathname);
    if (bundle) return serve(bundle)(visit);
    visit.response.writeHead(404).end();
    return undefined;
  });
});
afterAll(() => web.close());

function offer(bundle: Buffer): string {
  const source = `/${offered.size}/`;
  offered.set(source + name, bundle);
  return web.url(source).href;
}

async function bootFrom(sources: readonly string[], pin: string) {
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  await server.paste({ sources, pin });
  return { server, ...(await server.boot()) };
}

/** The beginning of a truncated file is kept, because the next source resumes it. */
const isBeginning = (content: Buffer) =>
  tinyFiles.some(({ content: whole }) => whole.subarray(0, content.length).equals(content));

/** Expects only signed content on the disk. */
async function expectOnlySigned(server: FreshServer, proven: ReadonlySet<string>) {
  for (const path of await server.list(releases)) {
    const content = (await server.read(path)) ?? Buffer.alloc(0);
    if (isBeginning(content)) continue;
    expect(proven, `${path} is left`).toContain(sha256(content));
  }
  expect(await server.list('opt/landfall/current')).toEqual([]);
  expect(await server.started()).toBeUndefined();
}

describe('a bundle that differs from the signed one', () => {
  const honest = makeBundle();
  const pin = pinOf(honest);
  const proven = new Set([pin, ...tinyFiles.map(({ content }) => sha256(content))]);
  const unused = new Set(evidenceAttacks.map((attack) => attack.name));
  // These bundles violate only a policy of the verifier. The bootstrap has no policy except its pin.
  const relevant = hostileBundles.filter(
    (hostile) => hostile.policy === undefined && !unused.has(hostile.name),
  );
  let refused = 0;
  afterAll(() => console.log(`the bootstrap refused ${refused} of ${relevant.length} bundles`));

  it.concurrent.each(relevant)(
    'rejects a bundle that differs from the signed one: $name',
    async (hostile) => {
      const source = offer(hostile.bundle());
      const { server, exitCode, output } = await bootFrom([source], pin);
      expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
      // For a truncated bundle, the server returns 416 when the bootstrap requests more.
      expect(output).toMatch(/tar: (?:rejected: |\S+ is truncated|HTTP Error 416)/);
      await expectOnlySigned(server, proven);
      refused += 1;
    },
  );
});

describe('a signed release.json with unsafe paths', () => {
  it.concurrent.each(pathAttacks)('writes nothing outside its folder: $name', async (attack) => {
    const bundle = attack.bundle();
    const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
    await server.paste({ sources: [offer(bundle)], pin: pinOf(bundle) });
    const before = await server.list('.');
    const { exitCode } = await server.boot();
    expect(exitCode).toBe(1);
    expect(await server.started()).toBeUndefined();
    const added = (await server.list('.')).filter((path) => !before.includes(path));
    const allowed =
      /^(?:run\/landfall\/(?:bootstrap|signature)$|tools\/|opt\/landfall\/releases\/1\.2\.0-amd64\.new\/)/;
    expect(added.filter((path) => !allowed.test(path))).toEqual([]);
  });
});

describe('a malicious source', () => {
  const bundle = installable();
  const pin = pinOf(bundle);
  const flipped = installable({
    arrange: replace('images/blob', (member) => {
      const content = Buffer.from(member.content);
      content[100_000] = 0;
      return { ...member, content };
    }),
  });

  it('does not block the correct source after it', async () => {
    const { server, exitCode, output } = await bootFrom([offer(flipped), offer(bundle)], pin);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('rejected: images/blob: wrong SHA-256');
    expect(await server.read('opt/landfall/current/images/blob')).toEqual(
      Buffer.alloc(200_000, 'layer '),
    );
  });

  it('cannot cause a correct source to be rejected by leaving wrong bytes', async () => {
    const cut = await FaultyServer.start((visit) => {
      visit.response.writeHead(200, { 'content-length': flipped.length });
      visit.response.write(flipped.subarray(0, 150_000), () => visit.request.socket.destroy());
    });
    const { exitCode, output } = await bootFrom([cut.url('/').href, offer(bundle)], pin);
    await cut.close();
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).not.toContain('rejected');
  });

  it('cannot replace the pinned release with an older signed one', async () => {
    const older = installable({
      release: (release) => ({
        ...release,
        models: [{ name: 'older:1b', manifest: null, size: null }],
      }),
    });
    const { exitCode, output } = await bootFrom([offer(older)], pin);
    expect(exitCode).toBe(1);
    expect(output).toContain('rejected: release.json does not match the pin');
  });

  it('cannot replace files between two requests', async () => {
    const swapped = Buffer.from(bundle);
    swapped.fill('evil', bundle.indexOf('services: {}'), bundle.indexOf('services: {}') + 4);
    const source = await FaultyServer.start(
      inTurn(({ response }) => void response.writeHead(503).end(), serve(swapped)),
    );
    const second = await FaultyServer.start(serve(swapped));
    const { server, exitCode, output } = await bootFrom(
      [source.url('/').href, second.url('/').href],
      pin,
    );
    await source.close();
    await second.close();
    expect(exitCode).toBe(1);
    expect(output).toContain('rejected: compose/compose.yaml: wrong SHA-256');
    await expectOnlySigned(server, new Set([pin]));
  });

  it('cannot replace the head after its signature was verified', async () => {
    const other = installable({ files: installableFiles.toReversed() });
    const cutting = await FaultyServer.start(
      inTurn(({ request, response }) => {
        response.writeHead(200, { 'content-length': bundle.length });
        response.write(bundle.subarray(0, 60_000), () => request.socket.destroy());
      }, serve(other)),
    );
    const { exitCode, output } = await bootFrom([cutting.url('/').href], pin);
    await cutting.close();
    expect(exitCode).toBe(1);
    expect(output).toContain('rejected: release.json does not match the pin');
  });

  it('cannot write escape sequences to the console', async () => {
    const talking = await FaultyServer.start(({ request }) => {
      request.socket.end('HTTP/1.1 500 \u001b[2J\u001b[31mall healthy\r\n\r\n');
    });
    const { server, output } = await bootFrom([talking.url('/').href], pin);
    await talking.close();
    expect(output).toMatch(/^[\n -~]*$/);
    expect(await server.status()).toMatch(/^[ -~]*\n$/);
  });
});

describe('a signature', () => {
  const sign = (make: (manifest: Buffer) => Buffer) =>
    installable({ sign: (manifest) => make(manifest) });
  const known = secondKey;

  it.each([
    ['by an untrusted key', sign((manifest) => signDer(manifest, strangerKey))],
    ['for another release.json', sign(() => signDer(Buffer.from('another\n'), known))],
    ['of one byte', sign(() => Buffer.of(0x30))],
    ['of zero bytes', sign(() => Buffer.alloc(0))],
  ])('%s is rejected', async (_what, bundle) => {
    const { server, exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /rejected: (?:no trusted key signed release\.json|release\.json\.sig is missing or malformed)/,
    );
    expect(await server.list(releases)).toEqual([]);
  });

  it('rejects a signature of 72 valid bytes with trailing data, which openssl ignores', async () => {
    const good = installable({
      sign: (manifest, signer) => signDerOfLength(manifest, signer, 72),
    });
    const longer = installable({
      sign: (manifest, signer) =>
        Buffer.concat([signDerOfLength(manifest, signer, 72), Buffer.of(0x0a)]),
    });
    expect((await bootFrom([offer(good)], pinOf(good))).exitCode).toBe(0);
    const { exitCode, output } = await bootFrom([offer(longer)], pinOf(longer));
    expect(exitCode).toBe(1);
    expect(output).toContain('rejected: release.json.sig is missing or malformed');
  });
});

describe('the mtime of the members', () => {
  const withTime = (time: number, others = time): NonNullable<Knobs['arrange']> => {
    return ([first, ...head], files) =>
      [first, ...head, ...files].flatMap((member) => {
        if (!member) return [];
        const header = { ...member.header, mtime: member === first ? time : others };
        return [{ ...member, header }];
      });
  };
  const from1970 = (release: Release) => ({ ...release, created: '1970-01-01T00:00:00Z' });

  it.each([
    ['differs from the release', installable({ arrange: withTime(mtime + 1) })],
    ['1970, unlike the release', installable({ arrange: withTime(0) })],
    ['1970 in release.json only', installable({ release: from1970, arrange: withTime(0, mtime) })],
  ])('rejects the mtime of the members: %s', async (_what, bundle) => {
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
    expect(output).toMatch(
      /rejected: (?:mtime differs from the release|\S+ is missing or malformed)/,
    );
  });

  it('may be 1970, as in the verifier', async () => {
    const bundle = installable({ release: from1970, arrange: withTime(0) });
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });
});

describe('an expired release', () => {
  const expiring = (expires: string) =>
    installable({ release: (release) => ({ ...release, expires }) });

  it('boots with a warning, because the administrator chose it', async () => {
    const bundle = expiring('2026-11-02T00:00:00Z');
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('WARNING: the release has expired');
  });

  it('causes the warning only after its expiry date', async () => {
    const bundle = expiring('2242-01-01T00:00:00Z');
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect(exitCode).toBe(0);
    expect(output).not.toContain('expired');
  });
});

describe('content that the bootstrap ignores', () => {
  it.each(evidenceAttacks)('does not affect the installed files: $name', async (attack) => {
    const bundle = attack.bundle();
    const honest = createHash('sha256').update('').digest('hex');
    const { server } = await bootFrom([offer(bundle)], pinOf(bundle));
    const known = new Set([
      honest,
      pinOf(bundle),
      ...tinyFiles.map(({ content }) => sha256(content)),
    ]);
    await expectOnlySigned(server, known);
  });
});
