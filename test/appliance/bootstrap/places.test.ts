import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cutAfter, inTurn, serve, short, trickle } from '../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../faulty-server/faulty-server.ts';
import { replace } from '../../simulator/arrange.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { FreshServer } from './fresh-server.ts';
import { installable, pinOf } from './installable.ts';

/** Every test boots a server or more; on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 120_000 });

const bundle = installable();
const pin = pinOf(bundle);
const folder = await workFolder();
const name = '/landfall-1.2.0-amd64.tar';
/** Somewhere in the one large file. */
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
  const places = await Promise.all(handlers.map((handler) => FaultyServer.start(handler)));
  running.push(...places);
  const server = new FreshServer(await mkdtemp(join(folder, 'root-')));
  await server.paste({ places: places.map(({ origin }) => origin), pin });
  return { places, server, ...(await server.boot({ env, ...(kill && { kill }) })) };
}

const firstByteAsked = (place: FaultyServer | undefined) =>
  (place?.seen(name) ?? []).map(({ headers }) => Number(/\d+/.exec(headers.range ?? '0')?.[0]));

/** Forty kilobytes a second, which is too little while there are other places. */
const slow = trickle(bundle, 4_000, 100);
/** A kilobyte a second, which counts as life on a line that has no other place. */
const drip = trickle(bundle, 100, 100);

describe('a slow first place', () => {
  it('gives way to the next one, and what it brought stays', async () => {
    const { places, exitCode, output } = await boot([slow, serve(bundle)], { LANDFALL_STALL: '2' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('too slow');
    expect(Math.max(...firstByteAsked(places[1]))).toBeGreaterThan(8_000);
  });

  it('brings the release all the same when every place is as slow', async () => {
    const { exitCode, output } = await boot([slow, slow], { LANDFALL_STALL: '1' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('that drips for ever does not keep slow but honest ones from their turn', async () => {
    const { exitCode, output } = await boot([drip, slow], { LANDFALL_STALL: '0.4' });
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });
});

describe('a place whose file ends early', () => {
  const ends = short(middle, bundle, { ranges: false });

  it('is left for the next one, which goes on behind it', async () => {
    const { places, exitCode, output } = await boot([ends, serve(bundle)]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output).toContain('images/blob ends early');
    expect(output).not.toContain('REFUSED');
    expect(firstByteAsked(places[1])).toContain(middle);
  });

  it('undoes nothing of what another brought over a bad line', async () => {
    const { exitCode, output } = await boot([ends, cutAfter(30_000, bundle)]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('is taken up again when it was a connection that said no length and broke', async () => {
    const broken: Handler = ({ request }) => {
      request.socket.end(
        Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), bundle.subarray(0, middle)]),
      );
    };
    const { places, exitCode, output } = await boot([inTurn(broken, serve(bundle))]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(firstByteAsked(places[0])).toContain(middle);
  });
});

describe('a place that has another file than was signed', () => {
  const flipped = installable({
    arrange: replace('images/blob', (member) => {
      const content = Buffer.from(member.content);
      content[150_000] = 0;
      return { ...member, content };
    }),
  });

  /** Wrong bytes for the large file, all else as it was signed. */
  const spoiled = installable({
    arrange: replace('images/blob', (member) => ({ ...member, content: Buffer.alloc(200_000) })),
  });

  it.each([
    ['first', [cutAfter(30_000, spoiled), cutAfter(60_000, bundle)]],
    ['last', [cutAfter(60_000, bundle), cutAfter(30_000, spoiled)]],
    ['twice', [cutAfter(30_000, spoiled), cutAfter(60_000, bundle), cutAfter(20_000, spoiled)]],
  ])('cannot hold up the boot by wrong bytes that it appends and cuts: %s', async (_, handlers) => {
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

  it('leaves nothing of what it brought beside the release', async () => {
    const { server, exitCode } = await boot([cutAfter(30_000, spoiled), cutAfter(60_000, bundle)]);
    expect(exitCode).toBe(0);
    const releases = await readdir(join(server.root, 'opt/landfall/releases'));
    expect(releases).toEqual(['1.2.0-amd64']);
  });

  it('cannot undo again and again what another brings over a bad line', async () => {
    const { exitCode, output } = await boot([serve(flipped), cutAfter(60_000, bundle)]);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    expect(output.match(/REFUSED, images\/blob is not what was signed/g)).toHaveLength(1);
  });
});
