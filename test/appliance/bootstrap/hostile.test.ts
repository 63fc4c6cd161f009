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

/** Every test boots a server or more; on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 300_000 });

const folder = await workFolder();
const name = 'landfall-1.2.0-amd64.tar';
const releases = 'opt/landfall/releases';

/** One path a bundle, so that many boots can run side by side. */
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
  const place = `/${offered.size}/`;
  offered.set(place + name, bundle);
  return web.url(place).href;
}

async function bootFrom(places: readonly string[], pin: string) {
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  await server.paste({ places, pin });
  return { server, ...(await server.boot()) };
}

/** Where a file ends early, its beginning stays, for the next place to go on with. */
const isBeginning = (content: Buffer) =>
  tinyFiles.some(({ content: whole }) => whole.subarray(0, content.length).equals(content));

/** What is left must be what the signature covers, byte for byte. */
async function expectNothingUnproven(server: FreshServer, proven: ReadonlySet<string>) {
  for (const path of await server.list(releases)) {
    const content = (await server.read(path)) ?? Buffer.alloc(0);
    if (isBeginning(content)) continue;
    expect(proven, `${path} is left`).toContain(sha256(content));
  }
  expect(await server.list('opt/landfall/current')).toEqual([]);
  expect(await server.started()).toBeUndefined();
}

describe('a bundle that is not what was signed', () => {
  const honest = makeBundle();
  const pin = pinOf(honest);
  const proven = new Set([pin, ...tinyFiles.map(({ content }) => sha256(content))]);
  const unused = new Set(evidenceAttacks.map((attack) => attack.name));
  // A policy makes a bundle hostile that is whole; a server that pins has no other policy.
  const relevant = hostileBundles.filter(
    (hostile) => hostile.policy === undefined && !unused.has(hostile.name),
  );
  let refused = 0;
  afterAll(() => console.log(`the bootstrap refused ${refused} of ${relevant.length} bundles`));

  it.concurrent.each(relevant)('is refused: $name', async (hostile) => {
    const place = offer(hostile.bundle());
    const { server, exitCode, output } = await bootFrom([place], pin);
    expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
    // Of one that is too short, the server says so where the bootstrap asks for more.
    expect(output).toMatch(/tar: (?:REFUSED, |\S+ ends early|HTTP Error 416)/);
    await expectNothingUnproven(server, proven);
    refused += 1;
  });
});

describe('a release.json that was signed in error', () => {
  it.concurrent.each(pathAttacks)('reaches nothing outside its folder: $name', async (attack) => {
    const bundle = attack.bundle();
    const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
    await server.paste({ places: [offer(bundle)], pin: pinOf(bundle) });
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

describe('a hostile place', () => {
  const bundle = installable();
  const pin = pinOf(bundle);
  const flipped = installable({
    arrange: replace('images/blob', (member) => {
      const content = Buffer.from(member.content);
      content[100_000] = 0;
      return { ...member, content };
    }),
  });

  it('does not keep a server from the honest one behind it', async () => {
    const { server, exitCode, output } = await bootFrom([offer(flipped), offer(bundle)], pin);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('REFUSED, images/blob is not what was signed');
    expect(await server.read('opt/landfall/current/images/blob')).toEqual(
      Buffer.alloc(200_000, 'layer '),
    );
  });

  it('cannot make an honest one look bad by what it left behind', async () => {
    const cut = await FaultyServer.start((visit) => {
      visit.response.writeHead(200, { 'content-length': flipped.length });
      visit.response.write(flipped.subarray(0, 150_000), () => visit.request.socket.destroy());
    });
    const { exitCode, output } = await bootFrom([cut.url('/').href, offer(bundle)], pin);
    await cut.close();
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).not.toContain('REFUSED');
  });

  it('cannot put an older release in the place of the pinned one, however well signed', async () => {
    const older = installable({
      release: (release) => ({
        ...release,
        models: [{ name: 'older:1b', manifest: null, size: null }],
      }),
    });
    const { exitCode, output } = await bootFrom([offer(older)], pin);
    expect(exitCode).toBe(1);
    expect(output).toContain('REFUSED, its release.json is not the pinned one');
  });

  it('cannot swap the files between two requests', async () => {
    const swapped = Buffer.from(bundle);
    swapped.fill('evil', bundle.indexOf('services: {}'), bundle.indexOf('services: {}') + 4);
    const place = await FaultyServer.start(
      inTurn(({ response }) => void response.writeHead(503).end(), serve(swapped)),
    );
    const second = await FaultyServer.start(serve(swapped));
    const { server, exitCode, output } = await bootFrom(
      [place.url('/').href, second.url('/').href],
      pin,
    );
    await place.close();
    await second.close();
    expect(exitCode).toBe(1);
    expect(output).toContain('REFUSED, compose/compose.yaml is not what was signed');
    await expectNothingUnproven(server, new Set([pin]));
  });

  it('cannot swap the head for another after its signature was checked', async () => {
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
    expect(output).toContain('REFUSED, its release.json is not the pinned one');
  });

  it('cannot speak to the console in escape sequences', async () => {
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
    ['by a stranger', sign((manifest) => signDer(manifest, strangerKey))],
    ['over another release.json', sign(() => signDer(Buffer.from('another\n'), known))],
    ['of one byte', sign(() => Buffer.of(0x30))],
    ['of nothing', sign(() => Buffer.alloc(0))],
  ])('%s is refused', async (_what, bundle) => {
    const { server, exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect(exitCode).toBe(1);
    expect(output).toMatch(/REFUSED, (?:no trusted key signed its|it has no proper) release\.json/);
    expect(await server.list(releases)).toEqual([]);
  });

  it('of 72 good bytes and one more, which openssl would not look at, is refused', async () => {
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
    expect(output).toContain('REFUSED, it has no proper release.json.sig');
  });
});

describe('the time of the members', () => {
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
    ['another than that of the release', installable({ arrange: withTime(mtime + 1) })],
    ['1970, which is not that of the release', installable({ arrange: withTime(0) })],
    ['1970 in release.json alone', installable({ release: from1970, arrange: withTime(0, mtime) })],
  ])('is refused: %s', async (_what, bundle) => {
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
    expect(output).toMatch(/REFUSED, (?:its members have another time|it has no proper)/);
  });

  it('may be 1970, as the verifier has it', async () => {
    const bundle = installable({ release: from1970, arrange: withTime(0) });
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });
});

describe('a release that has expired', () => {
  const expiring = (expires: string) =>
    installable({ release: (release) => ({ ...release, expires }) });

  it('boots with a warning: its administrator has chosen it', async () => {
    const bundle = expiring('2026-11-02T00:00:00Z');
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('WARNING: the release has expired');
  });

  it('is told from one that has not', async () => {
    const bundle = expiring('2242-01-01T00:00:00Z');
    const { exitCode, output } = await bootFrom([offer(bundle)], pinOf(bundle));
    expect(exitCode).toBe(0);
    expect(output).not.toContain('expired');
  });
});

describe('what the bootstrap does not use', () => {
  it.each(evidenceAttacks)('it does not judge, and runs no different: $name', async (attack) => {
    const bundle = attack.bundle();
    const honest = createHash('sha256').update('').digest('hex');
    const { server } = await bootFrom([offer(bundle)], pinOf(bundle));
    const known = new Set([
      honest,
      pinOf(bundle),
      ...tinyFiles.map(({ content }) => sha256(content)),
    ]);
    await expectNothingUnproven(server, known);
  });
});
