import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cutAfter, serve, status, trickle } from '../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../faulty-server/faulty-server.ts';
import { replace } from '../../simulator/arrange.ts';
import { splitInto } from '../../simulator/split-into.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, installableFiles, pinOf } from './installable.ts';

/** Each test boots at least one server, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const bundle = installable();
const folder = await workFolder();
const partSize = 60_001;
const parts = splitInto(bundle, partSize);
const nameOf = (index: number) => `/landfall-1.2.0-amd64.tar.${String(index).padStart(3, '0')}`;

const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

/** Serves each part, or what a test gives for its number. */
async function source(
  changes: Readonly<Record<number, Handler>> = {},
  served: readonly Buffer[] = parts,
): Promise<FaultyServer> {
  const handlers = served.map((part, index) => changes[index] ?? serve(part));
  const server = await FaultyServer.start(
    Object.fromEntries(handlers.map((handler, index) => [nameOf(index), handler])),
  );
  running.push(server);
  return server;
}

interface Boot {
  readonly pin?: string;
  /** Of a part. Bytes. */
  readonly size?: number;
  readonly env?: Record<string, string>;
}

async function boot(
  sources: readonly FaultyServer[],
  { pin = pinOf(bundle), size = partSize, env = {} }: Boot = {},
) {
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  const origins = sources.map(({ origin }) => origin);
  await server.paste({ sources: origins, pin, partSize: size });
  return { server, ...(await server.boot({ env })) };
}

/** Offsets in a part that were requested. */
const offsets = (server: FaultyServer, index: number) =>
  server.seen(nameOf(index)).map(({ headers }) => Number(/\d+/.exec(headers.range ?? '0')?.[0]));

describe('a bundle in parts', () => {
  it.each([500, 4_097, 60_001, bundle.length - 512])(
    'installs a bundle from parts of %i bytes',
    async (size) => {
      const web = await source({}, splitInto(bundle, size));
      const { server, exitCode, output } = await boot([web], { size });
      expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
      expect(output).toContain(`fetching ${web.url('/landfall-1.2.0-amd64.tar').href}\n`);
      const blob = await server.read('opt/landfall/current/images/blob');
      expect(blob).toEqual(Buffer.alloc(200_000, 'layer '));
      expect(await server.started()).toContain('first-boot');
    },
  );

  it('requests each part of a bundle once, without ranges', async () => {
    const web = await source();
    expect((await boot([web])).exitCode).toBe(0);
    const requests = web.seen().map(({ path, headers }) => [path, headers.range]);
    expect(requests).toEqual(parts.map((_, index) => [nameOf(index), undefined]));
  });

  it('may have more parts on the server, which are not requested', async () => {
    const web = await source({}, [...parts, Buffer.alloc(1000)]);
    expect((await boot([web])).exitCode).toBe(0);
    expect(web.seen(nameOf(parts.length))).toEqual([]);
  });
});

describe('an interrupted download of parts', () => {
  it('resumes a download in the middle of a part', async () => {
    const first = await source({ 1: cutAfter(20_000, parts[1] ?? bundle) });
    const second = await source();
    const { exitCode, output } = await boot([first, second]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('connection lost');
    expect(offsets(second, 1)).toEqual([20_000]);
    expect(offsets(second, 2)).toEqual([0]);
  });

  it('resumes a download at the border of two parts', async () => {
    const first = await source({ 2: status(503) });
    const second = await source();
    const { exitCode, output } = await boot([first, second]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(offsets(second, 1)).toEqual([]);
    expect(offsets(second, 2)).toEqual([0]);
  });

  it('resumes a download without ranges by skipping the beginning of one part', async () => {
    const content = { ranges: false };
    const handlers = Object.fromEntries(parts.map((part, index) => [index, serve(part, content)]));
    const first = await source({ 1: cutAfter(20_000, parts[1] ?? bundle) });
    const second = await source(handlers);
    const { exitCode, output } = await boot([first, second]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).not.toContain('rejected');
  });

  it('accepts the speed of a download although its parts are small', async () => {
    const large = installable({
      files: installableFiles.map((file) =>
        file.path === 'images/blob' ? { ...file, content: Buffer.alloc(4_000_000) } : file,
      ),
    });
    // The bootstrap requires 50,000 bytes within a second, which is more than one part. On an idle
    // machine this source sends almost twenty times as much.
    const size = 40_000;
    const small = splitInto(large, size);
    const handlers = Object.fromEntries(small.map((part, at) => [at, trickle(part, 10_000, 10)]));
    const sources = [await source(handlers, small), await source({}, small)];
    const env = { LANDFALL_STALL: '1' };
    const { exitCode, output } = await boot(sources, { pin: pinOf(large), size, env });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).not.toContain('too slow');
  });
});

describe('a source with wrong parts', () => {
  const other = installable({
    arrange: replace('images/blob', (member) => ({ ...member, content: Buffer.alloc(200_000) })),
  });
  const [one = bundle, two = bundle, three = bundle] = parts;
  const foreign = splitInto(other, partSize)[1] ?? other;
  const longer = Buffer.concat([two, Buffer.alloc(5_000, 1)]);

  it.each([
    ['a missing part', { 2: status(404) }, 'HTTP Error 404'],
    ['a missing first part', { 0: status(404) }, 'HTTP Error 404'],
    ['a part of another release', { 1: serve(foreign) }, 'images/blob: wrong SHA-256'],
    ['a part that ends early', { 1: serve(two.subarray(0, 30_000)) }, 'images/blob is truncated'],
    ['an empty part', { 1: serve(Buffer.alloc(0)) }, 'connection lost'],
    ['a part with trailing data', { 1: serve(longer) }, 'images/blob: wrong SHA-256'],
    ['swapped parts', { 0: serve(two), 1: serve(one) }, 'release.json is missing or malformed'],
    ['a repeated part', { 2: serve(two) }, 'wrong SHA-256'],
    ['a truncated last part', { 3: serve((parts[3] ?? bundle).subarray(0, -600)) }, 'truncated'],
    ['trailing data', { 3: serve(Buffer.concat([parts[3] ?? bundle, three])) }, 'trailing data'],
  ])(
    'refuses to install from a source with wrong parts: %s',
    async (_what, changes: Record<number, Handler>, message) => {
      const { server, exitCode, output } = await boot([await source(changes)]);
      expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
      expect(output).toContain(message);
      expect(await server.list('opt/landfall/current')).toEqual([]);
      const good = await source();
      const { exitCode: second, output: text } = await boot([await source(changes), good]);
      expect({ exitCode: second, text }).toMatchObject({ exitCode: 0 });
    },
  );

  it('refuses to install from a source with parts of another size', async () => {
    const web = await source({}, splitInto(bundle, partSize + 512));
    const { exitCode, output } = await boot([web]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 1 });
  });
});
