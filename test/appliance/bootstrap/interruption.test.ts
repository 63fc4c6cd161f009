import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { serve, stallAfter } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { sha256 } from '../../simulator/bundle.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, pinOf } from './installable.ts';
import { isAllRead } from './is-all-read.ts';

/** Each test boots at least one server, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 300_000 });

const bundle = installable();
const pin = pinOf(bundle);
const folder = await workFolder();
let web: FaultyServer;
let uninterrupted: Map<string, string>;

beforeAll(async () => {
  web = await FaultyServer.start(serve(bundle));
  const server = await pasted();
  expect((await server.boot()).exitCode).toBe(0);
  uninterrupted = await contentsOf(server);
});
afterAll(() => web.close());

async function pasted(): Promise<FreshServer> {
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  await server.paste({ sources: [web.origin], pin });
  return server;
}

async function contentsOf(server: FreshServer): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  for (const path of await server.list('opt/landfall')) {
    contents.set(path, sha256((await server.read(path)) ?? Buffer.alloc(0)));
  }
  return contents;
}

async function expectRecovery(server: FreshServer): Promise<void> {
  web.answer(serve(bundle));
  const { exitCode, output } = await server.boot();
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  expect(await server.started()).toContain('first-boot');
  expect(await contentsOf(server)).toEqual(uninterrupted);
}

/** Resolves once a condition is true on the server. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(20);
}

/** Sends the first bytes of the bundle, then stalls. Resolves once the server has read them. */
async function stalledAfter(bytes: number): Promise<void> {
  const sent = Promise.withResolvers<void>();
  const begin = stallAfter(bytes, bundle);
  web.answer(async (visit) => {
    await begin(visit);
    sent.resolve();
  });
  await sent.promise;
  await until(() => isAllRead(Number(web.url('/').port)));
}

describe('a power cut during the download', () => {
  const points = [0, 300, 2_000, 7_000, 50_000, 150_000, 210_000, bundle.length - 600];

  it.each(points)('after %i bytes does not change the result', async (bytes) => {
    const server = await pasted();
    const killed = await server.boot({ kill: stalledAfter(bytes) });
    expect(killed.exitCode).toBeUndefined();
    expect(await server.started()).toBeUndefined();
    await expectRecovery(server);
  });
});

describe('a power cut on the server', () => {
  const stopped = 'touch "$LANDFALL_ROOT/stopped"; sleep 60';
  const tools = [
    ['while the signature is checked', 'openssl'],
    ['before the link is set', 'ln'],
  ] as const;

  it.each(tools)('%s does not change the result', async (_when, tool) => {
    const server = await pasted();
    await server.replaceTool(tool, stopped);
    const isStopped = async () => (await server.read('stopped')) !== undefined;
    const killed = await server.boot({ kill: until(isStopped) });
    expect(killed.exitCode).toBeUndefined();
    expect(await server.started()).toBeUndefined();
    await server.replaceTool(tool, `exec /usr/bin/${tool} "$@"`);
    await expectRecovery(server);
  });

  it('detects a power cut that leaves a file of zeros, as some file systems do', async () => {
    const server = await pasted();
    await server.boot({ kill: stalledAfter(150_000) });
    const path = 'opt/landfall/releases/1.2.0-amd64.new/images/blob';
    await server.write(path, '\0'.repeat(200_000));
    await expectRecovery(server);
  });

  it('repairs a power cut that leaves Node half unpacked', async () => {
    const server = await pasted();
    await server.boot({ kill: stalledAfter(bundle.length - 600) });
    await server.write('opt/landfall/releases/1.2.0-amd64.new/runtime/node', 'half');
    await expectRecovery(server);
  });
});

describe('the files of an earlier run', () => {
  it('deletes the files of an earlier run when they belong to another release', async () => {
    const server = await pasted();
    const stage = 'opt/landfall/releases/1.2.0-amd64.new';
    await server.write(`${stage}/release.json`, '{}');
    await server.write(`${stage}/program/extra.mjs`, 'console.log("evil");');
    await expectRecovery(server);
  });

  it('keeps the files of an earlier run and downloads only the rest', async () => {
    const server = await pasted();
    const blob = 'opt/landfall/releases/1.2.0-amd64.new/images/blob';
    const isKept = async () => (await server.read(blob))?.length === 200_000;
    const stalled = stalledAfter(bundle.length - 1_500);
    await server.boot({ kill: stalled.then(() => until(isKept)) });
    const requests = web.seen().length;
    await expectRecovery(server);
    const ranges = web
      .seen()
      .slice(requests)
      .map(({ headers }) => headers.range ?? '');
    expect(ranges.some((range) => Number(/\d+/.exec(range)?.[0] ?? 0) > 200_000)).toBe(true);
  });
});
