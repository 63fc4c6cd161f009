import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mirrorAddress, registryAddress } from '../../../../builder/inputs/registry/mirrors.ts';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import { FaultyRegistry, type Gate } from '../../../faulty-registry/faulty-registry.ts';
import { basicGate, basicValue, tokenGate } from '../../../faulty-registry/gates.ts';
import { makeImage, named } from '../../../faulty-registry/make-image.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { html, serve, status, wrongBytes } from '../../../faulty-server/faults.ts';

const platforms = ['linux/amd64'] as const;
const image = makeImage();
const layer = image.platforms.get('linux/amd64')?.layers[0] ?? image.index;

describe('the address of a registry', () => {
  it.each([
    ['docker.io', 'https://registry-1.docker.io/'],
    ['ghcr.io', 'https://ghcr.io/'],
    ['ghcr.io:8443', 'https://ghcr.io:8443/'],
    ['localhost', 'http://localhost/'],
    ['localhost:5000', 'http://localhost:5000/'],
    ['127.0.0.1:5000', 'http://127.0.0.1:5000/'],
    ['127.8.9.10:5000', 'http://127.8.9.10:5000/'],
    ['[::1]:5000', 'http://[::1]:5000/'],
    ['10.0.0.1:5000', 'https://10.0.0.1:5000/'],
    ['localhost.example.com', 'https://localhost.example.com/'],
    ['127.0.0.1.example.com', 'https://127.0.0.1.example.com/'],
    ['[::ffff:127.0.0.1]:5000', 'https://[::ffff:7f00:1]:5000/'],
    ['0.0.0.0:5000', 'https://0.0.0.0:5000/'],
  ])('%s is %s', (registry, url) => {
    expect(registryAddress(registry).base.href).toBe(url);
  });
});

describe('the address of a mirror', () => {
  it.each([
    ['https://mirror.example.com', 'https://mirror.example.com/', ''],
    ['https://mirror.example.com/', 'https://mirror.example.com/', ''],
    ['https://mirror.example.com/v2/', 'https://mirror.example.com/', ''],
    ['https://mirror.example.com:8443/hub', 'https://mirror.example.com:8443/', 'hub/'],
    ['https://mirror.example.com/v2/a/b/', 'https://mirror.example.com/', 'a/b/'],
    ['https://mirror.example.com/v2x', 'https://mirror.example.com/', 'v2x/'],
    ['http://localhost:5000', 'http://localhost:5000/', ''],
  ])('%s leads to %s, repositories after "%3$s"', (text, base, prefix) => {
    const address = mirrorAddress(text, 'docker.io');
    expect(address.base.href).toBe(base);
    expect(address.prefix).toBe(prefix);
    expect(address.host).toBe(address.base.host);
  });

  it.each([
    ['mirror.example.com'],
    ['http://mirror.example.com'],
    ['ftp://localhost'],
    ['https://user:secret@mirror.example.com'],
    ['https://mirror.example.com/?a=b'],
    ['https://mirror.example.com/a//b'],
    ['https://mirror.example.com/a%2fb'],
  ])('rejects %s as the address of a mirror', async (text) => {
    const error = await refusalOf(() => mirrorAddress(text, 'docker.io'));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message + error.hint).not.toContain('secret');
  });
});

describe('mirrors', () => {
  let registry: FaultyRegistry;
  let mirror: FaultyRegistry;
  let tools: Equipment;

  beforeEach(async () => {
    registry = await FaultyRegistry.start();
    mirror = await FaultyRegistry.start();
    registry.push('team/app:1', image);
    tools = await equip({ mirrors: { [registry.host]: [mirror.url('/').href] } });
  });

  afterEach(async () => {
    await tools.close();
    await registry.close();
    await mirror.close();
  });

  const open = () => tools.open(`${registry.host}/team/app:1`);

  it('uses mirrors instead of the registry', async () => {
    mirror.push('team/app:1', image);
    const source = open();
    await source.resolve(platforms);
    await source.fetch(named(layer));
    expect(registry.seen()).toEqual([]);
    expect(tools.notes).toEqual([]);
  });

  it('may have a prefix for repositories', async () => {
    mirror.push('hub/team/app:1', image);
    tools = await tools.again({ mirrors: { [registry.host]: [mirror.url('/hub/').href] } });
    await open().resolve(platforms);
    expect(registry.seen()).toEqual([]);
    expect(mirror.paths()).toContain('GET /v2/hub/team/app/manifests/1');
  });

  it('get token requests for the repository with their prefix', async () => {
    await mirror.close();
    const { gate, asked } = tokenGate();
    mirror = await FaultyRegistry.start({ gate });
    mirror.push('hub/team/app:1', image);
    tools = await tools.again({ mirrors: { [registry.host]: [mirror.url('/hub').href] } });
    await open().resolve(platforms);
    expect(asked.map(({ query }) => query.scope)).toEqual(['repository:hub/team/app:pull']);
    expect(registry.seen()).toEqual([]);
  });

  it('without the image are skipped with a note', async () => {
    const source = open();
    const { index } = await source.resolve(platforms);
    expect(index.bytes).toEqual(image.index.bytes);
    await source.fetch(named(layer));
    const note = `mirror ${mirror.host} failed, trying the next source: ${mirror.host} does not have `;
    expect(tools.notes.every((line) => line.startsWith(note))).toBe(true);
    expect(tools.notes.length).toBeGreaterThan(0);
  });

  it('without the image are reported once', async () => {
    await open().resolve(platforms);
    await open().resolve(platforms);
    expect(new Set(tools.notes).size).toBe(tools.notes.length);
  });

  it('that are unreachable are skipped for the rest of the run', async () => {
    await mirror.close();
    const hangUp: Gate = ({ request }) => {
      request.socket.destroy();
      return false;
    };
    mirror = await FaultyRegistry.start({ gate: hangUp });
    tools = await tools.again({ mirrors: { [registry.host]: [mirror.url('/').href] } });
    const source = open();
    await source.resolve(platforms);
    expect(mirror.seen()).toHaveLength(2);
    await source.fetch(named(layer));
    expect(mirror.seen()).toHaveLength(2);
    const givenUp = `mirror ${mirror.host} is unreachable and will not be used`;
    expect(tools.notes.filter((line) => line.startsWith(givenUp))).toHaveLength(1);
  });

  it.each([
    ['a login page', html()],
    ['500', status(500)],
    ['401', status(401, { 'www-authenticate': 'Basic realm="x"' })],
    ['nonsense', serve(Buffer.from('{}'))],
  ])('that respond with %s are skipped', async (_, fault) => {
    mirror.fault('/v2/team/app/manifests/1', fault);
    expect((await open().resolve(platforms)).index.bytes).toEqual(image.index.bytes);
    expect(tools.notes.join('\n')).toContain(
      `mirror ${mirror.host} failed, trying the next source`,
    );
  });

  it('with wrong layer content are skipped', async () => {
    mirror.push('team/app:1', image);
    mirror.fault(`/v2/team/app/blobs/${layer.digest}`, wrongBytes(layer.bytes));
    const source = open();
    await source.resolve(platforms);
    await source.fetch(named(layer));
    expect(await tools.store.has(named(layer))).toBe(true);
    expect(tools.notes.join('\n')).toContain('its digest is not');
  });

  it('with another image for a digest are skipped', async () => {
    const pinned = `/v2/team/app/manifests/${image.index.digest}`;
    const other = makeImage({ layers: ['other'] });
    mirror.fault(pinned, serve(other.index.bytes, { type: other.index.mediaType }));
    const source = tools.open(`${registry.host}/team/app@${image.index.digest}`);
    expect((await source.resolve(platforms)).index.bytes).toEqual(image.index.bytes);
    expect(tools.notes.join('\n')).toContain('sent wrong content');
  });

  it('reports the failed mirrors if the registry fails as well', async () => {
    registry.fault('/v2/team/app/manifests/1', status(404));
    const error = await refusalOf(open().resolve(platforms));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.message).toContain(registry.host);
    expect(error.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(`mirror ${mirror.host}: `),
    ]);
  });

  it('without a tag are reported if the registry is unreachable', async () => {
    const gone = registry.host;
    mirror.push('team/app:2', image);
    await registry.close();
    const error = await refusalOf(open().resolve(platforms));
    expect(error).toMatchObject({
      code: 'IMAGE_NOT_FOUND',
      message: `mirror ${mirror.host} does not have ${gone}/team/app:1, and ${gone} is unreachable`,
      hint: expect.stringContaining('--mirror'),
    });
    expect(error.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(gone),
      expect.stringContaining(`mirror ${mirror.host}: `),
    ]);
  });

  it('tries the mirrors of a registry in order', async () => {
    const second = await FaultyRegistry.start();
    second.push('team/app:1', image);
    const urls = [mirror.url('/').href, second.url('/').href];
    tools = await tools.again({ mirrors: { [registry.host]: urls } });
    await open().resolve(platforms);
    expect(mirror.seen().length).toBeGreaterThan(0);
    expect(second.seen().length).toBeGreaterThan(0);
    expect(registry.seen()).toEqual([]);
    await second.close();
  });

  it('get their own login, not that of the registry', async () => {
    const login = { username: 'ops', password: 'for-the-mirror' };
    await mirror.close();
    mirror = await FaultyRegistry.start({ gate: basicGate(login) });
    mirror.push('team/app:1', image);
    await mkdir(join(tools.folder, '.docker'));
    const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') });
    const auths = {
      [registry.host]: auth('ops:for-the-registry'),
      [mirror.host]: auth('ops:for-the-mirror'),
    };
    await writeFile(join(tools.folder, '.docker', 'config.json'), JSON.stringify({ auths }));
    tools = await tools.again({ mirrors: { [registry.host]: [mirror.url('/').href] } });
    await open().resolve(platforms);
    const sent = new Set(mirror.seen().map(({ headers }) => headers.authorization));
    expect(sent).toEqual(new Set([undefined, basicValue(login)]));
    expect(registry.seen()).toEqual([]);
  });

  it('do not hide a full disk', async () => {
    mirror.push('team/app:1', image);
    const source = open();
    await source.resolve(platforms);
    // A file at the path of the folder makes every write fail.
    await rm(join(tools.store.folder, 'partial'), { recursive: true });
    await writeFile(join(tools.store.folder, 'partial'), '');
    expect((await refusalOf(source.fetch(named(layer)))).code).toBe('FILE_ACCESS');
    expect(tools.notes).toEqual([]);
    expect(registry.seen()).toEqual([]);
  });

  it('without an https URL are rejected before any request', async () => {
    tools = await tools.again({ mirrors: { [registry.host]: ['http://mirror.example.com'] } });
    expect((await refusalOf(() => open())).code).toBe('CONFIG_INVALID');
  });
});

describe('a mirror with a certificate of a private authority', () => {
  it('trusts a mirror whose certificate is from the given private authority', async () => {
    const authority = new CertificateAuthority();
    const mirror = await FaultyRegistry.start({ tls: authority.issue() });
    mirror.push('team/app:1', image);
    const tools = await equip({
      mirrors: { 'registry.example.com': [mirror.url('/').href] },
      ca: authority.cert,
    });
    const { index } = await tools.open('registry.example.com/team/app:1').resolve(platforms);
    expect(index.bytes).toEqual(image.index.bytes);
    expect(mirror.url('/').protocol).toBe('https:');
    await tools.close();
    await mirror.close();
  });
});
