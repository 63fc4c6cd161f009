import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { checkAdvisories } from '../../../../../builder/publish/release/pins/check-advisories.ts';
import { checkPins } from '../../../../../builder/publish/release/pins/check-pins.ts';
import type { Pin } from '../../../../../builder/publish/release/pins/pins.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Milliseconds: enough for a busy machine, and short for a registry that never answers. */
const timeout = 2000;

/** Starts a registry on loopback. Returns its URL. */
async function listen(listener: RequestListener): Promise<string> {
  const running = createServer(listener);
  server = running;
  await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(running.address() as AddressInfo).port}`;
}

/** Checks nginx 1.30.5 with a registry on loopback. */
async function check(listener: RequestListener, version = '1.30.5-alpine', line: 1 | 2 = 2) {
  const base = await listen(listener);
  const { host } = new URL(base);
  const source = { kind: 'image', registry: host, repository: 'library/nginx' } as const;
  const pin: Pin = { name: 'nginx', version, line, source };
  await using http = new HttpClient();
  const [result] = await checkPins([pin], { http, npm: base, go: base, timeout });
  return result;
}

const tags =
  (...names: string[]): RequestListener =>
  (_, response) =>
    response.end(JSON.stringify({ tags: names }));

describe('the check of the pins', () => {
  it('reports a newer patch of the line', async () => {
    const result = await check(tags('1.30.5-alpine', '1.30.10-alpine', '1.30.7-alpine'));
    expect(result).toMatchObject({ state: 'behind', newest: '1.30.10-alpine' });
  });

  it.each([
    ['a newer minor version', '1.31.9-alpine'],
    ['another suffix', '1.30.7-alpine3.24'],
    ['no suffix', '1.30.7'],
    ['a prerelease', '1.30.7-rc1'],
    ['a word', 'stable-alpine'],
  ])('ignores %s', async (_, tag) => {
    expect(await check(tags('1.30.5-alpine', tag))).toMatchObject({ state: 'newest' });
  });

  it('ignores a prerelease of a version without a suffix', async () => {
    expect(await check(tags('v5.8.0', 'v5.8.1-rc1'), 'v5.8.0')).toMatchObject({ state: 'newest' });
  });

  it('reports a newer minor version in a line of Node', async () => {
    const result = await check(tags('24.21.0', '24.22.3', '26.1.0'), '24.21.0', 1);
    expect(result).toMatchObject({ state: 'behind', newest: '24.22.3' });
  });

  it.each<[string, RequestListener]>([
    ['requires a login', (_, response) => response.writeHead(401).end()],
    ['never answers', () => undefined],
    ['sends no JSON', (_, response) => response.end('<html>')],
    ['sends JSON of another shape', (_, response) => response.end('{"tags":7}')],
    ['sends 10 MB', (_, response) => response.end(Buffer.alloc(10 * 1024 * 1024, ' '))],
    ['lists older versions only', tags('1.30.4-alpine')],
    ['lists other lines only', tags('1.31.0-alpine')],
  ])('never calls a pin the newest if the registry %s', async (_, listener) => {
    expect(await check(listener)).toMatchObject({ state: 'not answered' });
  });

  it('names a pin without a registry', async () => {
    const pin: Pin = { name: 'a.tar', version: '', line: 2, source: { kind: 'none' } };
    await using http = new HttpClient();
    const sources = { http, npm: 'http://127.0.0.1:9', go: 'http://127.0.0.1:9', timeout: 500 };
    expect(await checkPins([pin], sources)).toMatchObject([{ state: 'no source' }]);
  });
});

describe('the advisories on pinned packages', () => {
  const undici: Pin = {
    ...{ name: 'npm:undici@7.0.0', version: '7.0.0', line: 1, isLibrary: true },
    source: { kind: 'npm', package: 'undici' },
  };
  const advisory = { title: 'Smuggling', url: 'https://example.com/1', severity: 'high' };

  async function advise(listener: RequestListener) {
    const base = await listen(listener);
    await using http = new HttpClient();
    return await checkAdvisories([undici], { http, npm: base, go: base, timeout });
  }

  it('name a vulnerable package, and ask for its version only', async () => {
    let asked = '';
    const results = await advise(async (request, response) => {
      asked = `${request.method} ${request.url} ${await text(request)}`;
      const other = { ...advisory, vulnerable_versions: '<6.0.0' };
      const own = { ...advisory, vulnerable_versions: '>=7.0.0 <7.0.1' };
      response.end(JSON.stringify({ undici: [other, own] }));
    });
    expect(asked).toBe('POST /-/npm/v1/security/advisories/bulk {"undici":["7.0.0"]}');
    expect(results).toMatchObject([
      { state: 'vulnerable', blocks: true, reason: 'high: Smuggling, https://example.com/1' },
    ]);
  });

  it.each<[string, RequestListener]>([
    ['has none', (_, response) => response.writeHead(405).end()],
    ['sends no JSON', (_, response) => response.end('<html>')],
    ['never answers', () => undefined],
  ])('say that a registry did not answer which %s', async (_, listener) => {
    expect(await advise(listener)).toMatchObject([{ state: 'not answered' }]);
  });
});

describe('a newer version of a package in a program', () => {
  const versions: RequestListener = (_, response) =>
    response.end(JSON.stringify({ versions: { '7.0.0': {}, '7.1.0': {}, '8.0.0': {} } }));

  it.each([true, false])('blocks a release unless it is a library: %s', async (isLibrary) => {
    const base = await listen(versions);
    await using http = new HttpClient();
    const source = { kind: 'npm', package: 'x' } as const;
    const pin: Pin = { name: 'npm:x@7.0.0', version: '7.0.0', line: 1, isLibrary, source };
    const [result] = await checkPins([pin], { http, npm: base, go: base, timeout });
    expect(result).toMatchObject({ state: 'behind', newest: '7.1.0', blocks: !isLibrary });
  });
});
