import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeRelease } from '#contract/bundle/release.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { HttpClient } from '#http/client.ts';
import { fetchRelease } from '../../../../../appliance/operations/update/download/fetch-release.ts';
import { FileBundle } from '../../../../../appliance/server/host/download/file-bundle.ts';
import {
  type BundleSource,
  ServedBundle,
} from '../../../../../appliance/server/host/download/served-bundle.ts';
import {
  cutAfter,
  inTurn,
  redirect,
  serve,
  short,
  status,
  trickle,
} from '../../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../../faulty-server/faulty-server.ts';
import { makeBundle, makeRelease, type SimulatedFile } from '../../../../simulator/bundle.ts';
import { headOf } from '../../../../simulator/head-of.ts';
import { recoveryKey, releaseKey, secondKey, strangerKey } from '../../../../simulator/keys.ts';
import { piped } from '../../../answers.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const file = (path: string, content: Buffer | string): SimulatedFile => ({
  path,
  content: Buffer.from(content),
});
const [layer, shared, fresh] = [300_000, 900_000, 700_000].map((size) => randomBytes(size)) as [
  Buffer,
  Buffer,
  Buffer,
];
/** The installed release, and the one to fetch, which has one other layer. */
const before = [file('blobs/sha256/a', layer), file('blobs/sha256/b', shared)];
const after = [
  file('blobs/sha256/a', layer),
  file('blobs/sha256/b', shared),
  file('blobs/sha256/c', fresh),
  file('notes.txt', 'new'),
];
const bundle = makeBundle({ files: after });
const manifest = sha256Hex(headOf(bundle).get('release.json') ?? Buffer.alloc(0));
/** The same with another byte in the new layer. */
const lying = Buffer.from(bundle);
lying.fill(1, lying.indexOf(fresh), lying.indexOf(fresh) + 100);
const headSize = bundle.indexOf(layer) - 512;
const releases = 'opt/landfall/releases';
const target = `${releases}/1.2.0-amd64`;
const rates = {
  strict: { bytesPerSecond: 1e6, seconds: 0.2 },
  relaxed: { bytesPerSecond: 1, seconds: 10 },
};

let host: TemporaryHost;
let client: HttpClient;
const servers: FaultyServer[] = [];
let said: string[];

beforeEach(() => {
  const volume = { 'docker volume inspect': '/var/lib/docker/volumes/landfall_engine-data/_data' };
  host = TemporaryHost.with({}, { [piped('tar')]: '', sync: '', ...volume });
  install('1.0.0-amd64', before);
  client = new HttpClient({ env: {} });
  said = [];
});
afterEach(async () => {
  await client.close();
  for (const server of servers.splice(0)) await server.close();
});

/** Writes a release as it is on a server. */
function install(name: string, files: readonly SimulatedFile[]): void {
  const put = (path: string, bytes: Buffer | string) => {
    mkdirSync(dirname(join(host.root, releases, name, path)), { recursive: true });
    writeFileSync(join(host.root, releases, name, path), bytes);
  };
  for (const { path, content } of files) put(path, content);
  put('release.json', Buffer.from(encodeRelease({ ...makeRelease(files), version: '1.0.0' })));
}

/** Starts a mirror. Returns the URL of the bundle. */
async function mirror(handler: Handler | Record<string, Handler>): Promise<URL> {
  const server = await FaultyServer.start(handler);
  servers.push(server);
  return new URL('/v/landfall-1.2.0-amd64.tar', server.origin);
}

const fetchFrom = (
  urls: URL[],
  part: number | null = null,
  files?: ReadonlySet<string>,
  digest = manifest,
) =>
  fetchFromSources(
    urls.map((url) => new ServedBundle(client, url, part)),
    { manifest: digest, ...(files && { files }) },
  );

const fetchFromSources = (
  sources: readonly BundleSource[],
  wanted: { manifest: string; files?: ReadonlySet<string> } = { manifest },
) =>
  fetchRelease(
    { version: '1.2.0', sources, ...wanted },
    {
      ...{ host, rates, sleep: async () => {}, trust: async () => {} },
      policy: {
        keys: { release: [releaseKey.public, secondKey.public], recovery: recoveryKey.public },
        ...{ product: 'landfall', arch: 'amd64', installed: '1.0.0' },
      },
      report: { say: (line) => void said.push(line), progress: () => {} },
    },
  );

const fetched = (path: string) => readFileSync(join(host.root, target, path));
const isWhole = () => after.every(({ path, content }) => fetched(path).equals(content));
const inode = (name: string) => statSync(join(host.root, releases, name)).ino;
/** Bytes that all mirrors were asked for. */
const requested = () =>
  servers
    .flatMap((server) => server.seen())
    .map(({ headers }) => /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? ''))
    .map((range) => Math.min(Number(range?.[2]) + 1, bundle.length) - Number(range?.[1]))
    .reduce((sum, size) => sum + size, 0);

describe('fetching a release', () => {
  it('links files of the installed release, and transfers the head and one layer', async () => {
    await fetchFrom([await mirror(serve(bundle))]);
    expect(isWhole()).toBe(true);
    for (const name of ['a', 'b'])
      expect(inode(`1.2.0-amd64/blobs/sha256/${name}`)).toBe(
        inode(`1.0.0-amd64/blobs/sha256/${name}`),
      );
    expect(requested()).toBeLessThan((128 << 10) + 1.05 * fresh.length);
    expect(readdirSync(join(host.root, releases)).sort()).toEqual(['1.0.0-amd64', '1.2.0-amd64']);
  });

  it('leaves out a layer that the disk plan removed after Docker had imported it', async () => {
    rmSync(join(host.root, releases, '1.0.0-amd64/blobs/sha256/b'));
    await fetchFrom([await mirror(serve(bundle))]);
    expect(existsSync(join(host.root, target, 'blobs/sha256/b'))).toBe(false);
    expect(fetched('blobs/sha256/c')).toEqual(fresh);
    expect(requested()).toBeLessThan((128 << 10) + 1.05 * fresh.length);
  });

  it('adds such a layer to the complete folder when Docker requests it', async () => {
    rmSync(join(host.root, releases, '1.0.0-amd64/blobs/sha256/b'));
    const urls = [await mirror(inTurn(cutAfter(500_000, bundle), serve(bundle)))];
    await fetchFrom(urls);
    await fetchFrom(urls, null, new Set([sha256Hex(shared)]));
    expect(isWhole()).toBe(true);
    expect(readdirSync(join(host.root, releases)).sort()).toEqual(['1.0.0-amd64', '1.2.0-amd64']);
  });

  it('leaves out a blob of a model that Ollama has, unless its size differs', async () => {
    const [weights, template] = [randomBytes(500_000), randomBytes(1000)];
    const files = [weights, template].map((bytes) =>
      file(`models/sha256/${sha256Hex(bytes)}`, bytes),
    );
    const store = 'var/lib/docker/volumes/landfall_engine-data/_data/models/blobs';
    mkdirSync(join(host.root, store), { recursive: true });
    writeFileSync(join(host.root, store, `sha256-${sha256Hex(weights)}`), weights);
    writeFileSync(join(host.root, store, `sha256-${sha256Hex(template)}`), 'short');
    const withModel = makeBundle({ files });
    const digest = sha256Hex(headOf(withModel).get('release.json') ?? Buffer.alloc(0));
    await fetchFrom([await mirror(serve(withModel))], null, undefined, digest);
    expect(readdirSync(join(host.root, target, 'models/sha256'))).toEqual([sha256Hex(template)]);
  });

  it('transfers a damaged file of the installed release again', async () => {
    const damaged = Buffer.from(shared);
    damaged[7] = (damaged[7] ?? 0) ^ 1;
    writeFileSync(join(host.root, releases, '1.0.0-amd64/blobs/sha256/b'), damaged);
    await fetchFrom([await mirror(serve(bundle))]);
    expect(isWhole()).toBe(true);
  });

  it('ignores a folder with a damaged release.json', async () => {
    writeFileSync(join(host.root, releases, '1.0.0-amd64/release.json'), '{}');
    await fetchFrom([await mirror(serve(bundle))]);
    expect(isWhole()).toBe(true);
  });

  it('reads a server that ignores ranges once', async () => {
    await fetchFrom([await mirror(serve(bundle, { ranges: false }))]);
    expect(isWhole()).toBe(true);
    expect(servers[0]?.seen()).toHaveLength(1);
  });

  it('reads a bundle in parts', async () => {
    const size = 250_000;
    const parts = Array.from({ length: Math.ceil(bundle.length / size) }, (_, index) => [
      `/v/landfall-1.2.0-amd64.tar.${String(index).padStart(3, '0')}`,
      serve(bundle.subarray(index * size, (index + 1) * size)),
    ]);
    await fetchFrom([await mirror(Object.fromEntries(parts))], size);
    expect(isWhole()).toBe(true);
  });

  it('reads only what is missing from a file', async () => {
    const holes = Buffer.from(bundle);
    for (const known of [layer, shared])
      holes.fill(0, holes.indexOf(known), holes.indexOf(known) + known.length);
    const path = join(host.root, 'x.tar');
    writeFileSync(path, holes);
    await fetchFromSources([new FileBundle(path)]);
    expect(isWhole()).toBe(true);
  });

  it('rejects a file with another byte in a layer', async () => {
    const path = join(host.root, 'x.tar');
    writeFileSync(path, lying);
    await expect(fetchFromSources([new FileBundle(path)])).rejects.toMatchObject({
      code: 'BLOB_DIGEST',
      message: `${path} has another blobs/sha256/c`,
    });
  });

  it('continues an interrupted download', async () => {
    const cut = inTurn(serve(bundle), cutAfter(500_000, bundle), status(500));
    await expect(fetchFrom([await mirror(cut)])).rejects.toMatchObject({ code: 'HTTP_STATUS' });
    const asked = servers.length;
    await fetchFrom([await mirror(serve(bundle))]);
    expect(isWhole()).toBe(true);
    const ranges = servers[asked]?.seen().map(({ headers }) => headers.range) ?? [];
    expect(Number(/\d+/.exec(ranges[1] ?? '')?.[0])).toBeGreaterThan(headSize + 1_200_000);
  });

  it('returns at once for a release that is complete', async () => {
    await fetchFrom([await mirror(serve(bundle))]);
    expect(await fetchFrom([])).toBeUndefined();
  });

  it.each([
    ['is down', status(503)],
    ['does not have the bundle', status(404)],
    ['truncates', short(bundle.length - 100_000, bundle)],
    ['lies about a file', serve(lying)],
    ['serves a release of a stranger', serve(makeBundle({ files: after, signer: strangerKey }))],
    ['serves another release', serve(makeBundle({ files: before }))],
    ['redirects in a circle', redirect('/v/landfall-1.2.0-amd64.tar')],
    ['is slow', trickle(bundle, 1000, 50)],
  ])('takes the next mirror when one %s', async (_fault, handler) => {
    await fetchFrom([await mirror(handler), await mirror(serve(bundle))]);
    expect(isWhole()).toBe(true);
  });

  it('starts a file again that changed on the mirror during the download', async () => {
    const other = Buffer.from(bundle);
    other.fill(1, bundle.indexOf(fresh), bundle.indexOf(fresh) + 600_000);
    const changing = inTurn(
      serve(bundle, { headers: { etag: '"1"' } }),
      cutAfter(400_000, other, { headers: { etag: '"2"' } }),
      serve(bundle, { headers: { etag: '"3"' } }),
    );
    await fetchFrom([await mirror(changing)]);
    expect(isWhole()).toBe(true);
  });

  it('leaves no folder with the name of a release that was rejected', async () => {
    await expect(fetchFrom([await mirror(serve(lying))])).rejects.toMatchObject({
      code: 'BLOB_DIGEST',
    });
    expect(readdirSync(join(host.root, releases))).not.toContain('1.2.0-amd64');
  });
});
