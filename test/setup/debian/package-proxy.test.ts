import { readdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutAfter, inTurn, serve } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { PackageProxy } from './package-proxy.ts';

const parent = await workFolder();
const content = Buffer.alloc(100_000, 'a package ');
const path = '/debian/pool/main/a/a.deb';

describe('the proxy for Debian packages', () => {
  let archive: FaultyServer;
  let folder: string;
  let proxy: Server;
  let origin: string;

  beforeEach(async ({ task }) => {
    archive = await FaultyServer.start({ [path]: serve(content) });
    folder = join(parent, task.id);
    proxy = new PackageProxy(
      { url: `${archive.origin}/debian`, settings: '' },
      folder,
      10,
    ).server();
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    proxy.close();
    await archive.close();
  });

  const get = async (of: string) => {
    const { statusCode, body } = await request(`${origin}${of}`);
    return { statusCode, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  it('downloads a package once, for simultaneous and later clients', async () => {
    const answers = await Promise.all([get(path), get(path), get(path)]);
    answers.push(await get(path));
    expect(answers.every(({ bytes }) => bytes.equals(content))).toBe(true);
    expect(archive.seen(path)).toHaveLength(1);
  });

  it('serves cached files when the archive is unreachable', async () => {
    const release = '/debian/dists/trixie/InRelease';
    archive.answer({ [path]: serve(content), [release]: serve(Buffer.from('signed')) });
    await get(path);
    await get(release);
    await archive.close();
    expect(await get(path)).toMatchObject({ statusCode: 200 });
    expect(await get(release)).toMatchObject({ statusCode: 200 });
    expect(await get('/debian/pool/main/b/b.deb')).toMatchObject({ statusCode: 502 });
  });

  it('discards interrupted downloads', async () => {
    archive.answer({ [path]: inTurn(cutAfter(1000, content), serve(content)) });
    const { statusCode, bytes } = await get(path);
    const kept = (await readdir(folder, { recursive: true })).filter((name) => /deb$/.test(name));
    // If the download fails before the first byte is forwarded, the client retries.
    if (statusCode === 200) expect(bytes.equals(content)).toBe(true);
    else expect([statusCode, kept]).toEqual([502, []]);
    expect((await get(path)).bytes.equals(content)).toBe(true);
  });

  it('asks the archive for a folder, also if its cache has one (regression: cut off within an hour)', async () => {
    archive.answer({ [path]: serve(content) });
    await get(path);
    expect(await get('/debian/pool/')).toMatchObject({ statusCode: 404 });
  });

  it('reports missing packages as not found', async () => {
    expect(await get('/debian/pool/main/c/c.deb')).toMatchObject({ statusCode: 404 });
  });

  it('finds the security archive next to the main one', async () => {
    const there = '/debian-security/dists/trixie-security/InRelease';
    archive.answer({ [there]: serve(Buffer.from('signed')) });
    expect((await get(there)).bytes.toString()).toBe('signed');
  });

  it('refuses all other hosts', async () => {
    expect(await get('/secret')).toMatchObject({ statusCode: 403 });
    expect(await get('/debian/../secret')).toMatchObject({ statusCode: 403 });
    expect(await get('/debian/%2e%2e/%2e%2e/secret')).toMatchObject({ statusCode: 403 });
    expect(archive.seen()).toEqual([]);
  });
});
