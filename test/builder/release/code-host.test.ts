import { randomBytes } from 'node:crypto';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodeHost, codeHostAccess } from '../../../builder/release/code-host.ts';
import { localFile } from '../../../builder/release/local-file.ts';
import { inTurn, status } from '../../faulty-server/faults.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { CodeHostStandIn, cutUploadAfter, token } from '../../stand-ins/code-host/code-host.ts';

/** Larger than the buffers between client and server. */
const large = randomBytes(5_000_000);
const proceed = () => {};

let standIn: CodeHostStandIn;
let host: CodeHost;
let folder: string;
let waits: number[];
beforeEach(async () => {
  standIn = await CodeHostStandIn.start();
  folder = await workFolder();
  waits = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  host = new CodeHost({ ...codeHostAccess(standIn.env), retry: { sleep } });
});
afterEach(async () => {
  await host.close();
  await standIn.close();
});

async function file(name: string, bytes: Buffer | string) {
  await writeFile(join(folder, name), bytes);
  return await localFile(join(folder, name));
}

describe('a draft release', () => {
  it('creates a draft release once for a tag and a commit', async () => {
    const commit = 'a'.repeat(40);
    const first = await host.findOrCreateDraft({ tag: 'v1.0.0', commit });
    const second = await host.findOrCreateDraft({ tag: 'v1.0.0', commit });
    expect(second.id).toBe(first.id);
    expect(standIn.releases()).toMatchObject([
      { tag_name: 'v1.0.0', draft: true, target_commitish: commit },
    ]);
  });

  it('creates no second draft release when the response was lost', async () => {
    const lost = inTurn(({ response }) => {
      standIn.add('v1.0.0', true);
      response.destroy();
    }, proceed);
    standIn.fault('POST', '/releases', lost);
    await host.findOrCreateDraft({ tag: 'v1.0.0' });
    expect(standIn.releases()).toHaveLength(1);
  });

  it('finds the oldest draft release of several, also behind a hundred other releases', async () => {
    const { id } = standIn.add('v1.0.0', true);
    for (let index = 0; index < 120; index += 1) standIn.add(`v0.0.${index}`, false);
    standIn.add('v1.0.0', true);
    expect((await host.findDraft('v1.0.0')).id).toBe(id);
  });

  it('refuses to create a draft once the release is published', async () => {
    standIn.add('v1.0.0', false);
    const attempt = host.findOrCreateDraft({ tag: 'v1.0.0' });
    await expect(attempt).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  });

  it('reports a missing draft release', async () => {
    await expect(host.findDraft('v1.0.0')).rejects.toMatchObject({ code: 'FILE_MISSING' });
  });

  it('publishes a draft release, as the latest release or not', async () => {
    standIn.add('v1.0.0', true);
    await host.publish(await host.findDraft('v1.0.0'), false);
    expect(standIn.releases()).toMatchObject([{ draft: false, make_latest: 'false' }]);
  });
});

describe('an upload', () => {
  const draft = async () => {
    standIn.add('v1.0.0', true);
    return await host.findDraft('v1.0.0');
  };

  it('stores the bytes of the file under its name', async () => {
    const release = await draft();
    expect(await host.upload(release, await file('a.tar', large))).toBe(true);
    const [stored] = standIn.assetsOf(release.id);
    expect(stored).toMatchObject({ name: 'a.tar', state: 'uploaded' });
    expect(stored?.bytes.equals(large)).toBe(true);
  });

  it('keeps an identical file', async () => {
    const release = await draft();
    standIn.put(release.id, 'release.pub', Buffer.from('key'), 'uploaded');
    expect(await host.upload(release, await file('release.pub', 'key'))).toBe(false);
    expect(standIn.requests().filter((request) => /^(?:POST|DELETE)/.test(request))).toEqual([]);
  });

  it.each(['starter', 'uploaded'] as const)(
    'replaces a file in state %s with other bytes',
    async (state) => {
      const release = await draft();
      standIn.put(release.id, 'a.tar', Buffer.from('old'), state);
      await host.upload(release, await file('a.tar', 'new'));
      const stored = standIn.assetsOf(release.id).map(({ bytes }) => bytes.toString());
      expect(stored).toEqual(['new']);
    },
  );

  it('starts again after a lost connection, and replaces what it left', async () => {
    const release = await draft();
    const cut = inTurn(async (visit) => {
      standIn.put(release.id, 'a.tar', Buffer.alloc(0), 'starter');
      await cutUploadAfter(1_000_000)(visit);
    }, proceed);
    standIn.fault('POST', '/assets', cut);
    expect(await host.upload(release, await file('a.tar', large))).toBe(true);
    expect(standIn.assetsOf(release.id)).toMatchObject([{ state: 'uploaded' }]);
    expect(waits).toHaveLength(1);
  });

  it('repeats no upload when only the response was lost', async () => {
    const release = await draft();
    const lost = inTurn(({ response }) => {
      standIn.put(release.id, 'a.tar', Buffer.from('bytes'), 'uploaded');
      response.destroy();
    }, proceed);
    standIn.fault('POST', '/assets', lost);
    await host.upload(release, await file('a.tar', 'bytes'));
    expect(standIn.requests().filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });

  it('accepts that another job uploaded the same file meanwhile', async () => {
    const release = await draft();
    const meanwhile = inTurn(
      () => void standIn.put(release.id, 'release.pub', large, 'uploaded'),
      proceed,
    );
    standIn.fault('POST', '/assets', meanwhile);
    expect(await host.upload(release, await file('release.pub', large))).toBe(false);
    expect(standIn.assetsOf(release.id)).toHaveLength(1);
  });

  it('fails after five server errors', async () => {
    const release = await draft();
    standIn.fault('POST', '/assets', status(502));
    const attempt = host.upload(release, await file('a.tar', large));
    await expect(attempt).rejects.toMatchObject({ code: 'HTTP_STATUS', retriable: true });
    expect(standIn.requests().filter((request) => request.startsWith('POST'))).toHaveLength(5);
  });

  it('rejects a file that the code host does not accept, before any request', async () => {
    await expect(file('a b.tar', '')).rejects.toMatchObject({ code: 'USAGE' });
    await writeFile(join(folder, 'huge.tar'), '');
    await truncate(join(folder, 'huge.tar'), 2 ** 31);
    await expect(localFile(join(folder, 'huge.tar'))).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('--max-part-size'),
    });
  });
});

describe('a download', () => {
  const put = async (name: string, bytes: Buffer, state: 'uploaded' | 'starter' = 'uploaded') => {
    const { id } = standIn.add('v1.0.0', true);
    standIn.put(id, name, bytes, state);
    const [asset] = await host.assets(await host.findDraft('v1.0.0'));
    if (!asset) throw new Error('the stand-in has no file');
    return asset;
  };

  it('follows the redirect to object storage, without the token', async () => {
    await host.download(await put('a.tar', large), folder);
    expect((await readFile(join(folder, 'a.tar'))).equals(large)).toBe(true);
  });

  it('rejects other bytes, and leaves no file', async () => {
    const asset = await put('a.tar', Buffer.from('bytes'));
    const attempt = host.download({ ...asset, digest: `sha256:${'0'.repeat(64)}` }, folder);
    await expect(attempt).rejects.toMatchObject({ code: 'BLOB_DIGEST' });
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['../a.tar', 'uploaded'],
    ['a.tar', 'starter'],
  ] as const)('rejects %s in state %s', async (name, state) => {
    const asset = await put(name, Buffer.from('bytes'), state);
    await expect(host.download(asset, folder)).rejects.toMatchObject({ code: 'HTTP_STATUS' });
  });
});

describe('an error of the code host', () => {
  it('contains its message, and never the token', async () => {
    const body = JSON.stringify({ message: 'Resource not accessible by integration' });
    standIn.fault('GET', '/releases', status(403, { 'content-type': 'application/json' }, body));
    const error = await host.findDraft('v1.0.0').catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'HTTP_STATUS',
      message: expect.stringMatching(/status 403: Resource not accessible/),
      hint: expect.stringContaining('contents:write'),
    });
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(token);
  });

  it('retries a request to the code host after the requested time of a short rate limit', async () => {
    standIn.add('v1.0.0', true);
    const limited = status(403, { 'retry-after': '60' }, '{"message":"secondary rate limit"}');
    standIn.fault('GET', '/releases', inTurn(limited, proceed));
    await host.findDraft('v1.0.0');
    expect(waits).toEqual([60_000]);
  });

  it('names the time of a long rate limit, and does not wait', async () => {
    const reset = Math.floor(Date.now() / 1000) + 3000;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${reset}` };
    standIn.fault('GET', '/releases', status(403, headers));
    await expect(host.findDraft('v1.0.0')).rejects.toMatchObject({
      code: 'REGISTRY_RATE_LIMIT',
      message: expect.stringMatching(/until 20\d\d-\d\d-\d\dT/),
      retriable: true,
    });
    expect(waits).toEqual([]);
  });
});

describe('the access to the code host', () => {
  it.each([
    ['GITHUB_TOKEN', ''],
    ['GITHUB_TOKEN', 'a\nb'],
    ['GITHUB_REPOSITORY', 'team'],
    ['GITHUB_REPOSITORY', 'team/../other'],
    ['GITHUB_API_URL', 'http://api.github.com'],
  ])('rejects %s=%j, without its value in the error', (name, value) => {
    const read = () => codeHostAccess({ ...standIn.env, [name]: value });
    expect(read).toThrow(`the environment variable ${name} is missing or invalid`);
  });
});
