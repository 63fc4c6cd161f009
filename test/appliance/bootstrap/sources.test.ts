import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cutAfter, inTurn, serve, short, trickle } from '../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../faulty-server/faulty-server.ts';
import { replace } from '../../simulator/arrange.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, pinOf } from './installable.ts';

/** Each test boots at least one server, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const bundle = installable();
const pin = pinOf(bundle);
const folder = await workFolder();
const name = '/landfall-1.2.0-amd64.tar';
/** An offset inside of the only large file. */
const middle = 100_000;

const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function boot(
  handlers: readonly Handler[],
  env: Record<string, string> = {},
  kill?: Promise<unknown>,
) {
  const sources = await Promise.all(handlers.map((handler) => FaultyServer.start(handler)));
  running.push(...sources);
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  await server.paste({ sources: sources.map(({ origin }) => origin), pin });
  return { sources, server, ...(await server.boot({ env, ...(kill && { kill }) })) };
}

const requestedOffsets = (source: FaultyServer | undefined) =>
  (source?.seen(name) ?? []).map(({ headers }) => Number(/\d+/.exec(headers.range ?? '0')?.[0]));

/** 40 kB/s, below the minimum rate while there are other sources. */
const slow = trickle(bundle, 4_000, 100);
/** 1 kB/s, above the minimum rate of the only source. */
const drip = trickle(bundle, 100, 100);

describe('a slow first source', () => {
  it('replaces a slow first source by the next one, which resumes its download', async () => {
    const { sources, exitCode, output } = await boot([slow, serve(bundle)], {
      LANDFALL_STALL: '2',
    });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('too slow');
    expect(Math.max(...requestedOffsets(sources[1]))).toBeGreaterThan(8_000);
  });

  it('uses a slow source if every source is slow', async () => {
    const { exitCode, output } = await boot([slow, slow], { LANDFALL_STALL: '1' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('that sends a few bytes forever does not block slow sources', async () => {
    const { exitCode, output } = await boot([drip, slow], { LANDFALL_STALL: '0.4' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });
});

describe('a source with a truncated file', () => {
  const ends = short(middle, bundle, { ranges: false });

  it('replaces a source with a truncated file by the next one, which resumes the file', async () => {
    const { sources, exitCode, output } = await boot([ends, serve(bundle)]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('images/blob is truncated');
    expect(output).not.toContain('rejected');
    expect(requestedOffsets(sources[1])).toContain(middle);
  });

  it('does not discard data of another source with a bad connection', async () => {
    const { exitCode, output } = await boot([ends, cutAfter(30_000, bundle)]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('resumes a source that sends no length and whose connection is lost', async () => {
    const broken: Handler = ({ request }) => {
      request.socket.end(
        Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), bundle.subarray(0, middle)]),
      );
    };
    const { sources, exitCode, output } = await boot([inTurn(broken, serve(bundle))]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(requestedOffsets(sources[0])).toContain(middle);
  });
});

describe('a source with a file that was not signed', () => {
  const flipped = installable({
    arrange: replace('images/blob', (member) => {
      const content = Buffer.from(member.content);
      content[150_000] = 0;
      return { ...member, content };
    }),
  });

  /** Wrong bytes in the large file only. */
  const spoiled = installable({
    arrange: replace('images/blob', (member) => ({ ...member, content: Buffer.alloc(200_000) })),
  });

  it.each([
    ['first', [cutAfter(30_000, spoiled), cutAfter(60_000, bundle)]],
    ['last', [cutAfter(60_000, bundle), cutAfter(30_000, spoiled)]],
    ['twice', [cutAfter(30_000, spoiled), cutAfter(60_000, bundle), cutAfter(20_000, spoiled)]],
  ])('cannot block the boot by appending wrong bytes: %s', async (_, handlers) => {
    let requests = 0;
    const tooMany = Promise.withResolvers<void>();
    const counted = handlers.map(
      (handler): Handler =>
        (visit) => {
          requests += 1;
          if (requests > 100) tooMany.resolve();
          return handler(visit);
        },
    );
    const { exitCode, output } = await boot(counted, {}, tooMany.promise);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('leaves no files beside the release', async () => {
    const { server, exitCode } = await boot([cutAfter(30_000, spoiled), cutAfter(60_000, bundle)]);
    expect(exitCode).toBe(0);
    const releases = await readdir(join(server.root, 'opt/landfall/releases'));
    expect(releases).toEqual(['1.2.0-amd64']);
  });

  it('cannot discard data of another source repeatedly', async () => {
    const { exitCode, output } = await boot([serve(flipped), cutAfter(60_000, bundle)]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output.match(/rejected: images\/blob: wrong SHA-256/g)).toHaveLength(1);
  });
});
