import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hexOf } from '#contract/trust/digest.ts';
import { inTurn, rangeNotSatisfiable, serve, stallAfter } from '../../../faulty-server/faults.ts';
import { contentOf, descriptorOf, Rig } from './rig.ts';

const bytes = contentOf(3_000_000);
const { digest } = descriptorOf(bytes);
const program = fileURLToPath(new URL('./build-to-kill.ts', import.meta.url));
let rig: Rig;

beforeEach(async () => {
  rig = await Rig.start({ '/blob': serve(bytes) });
});

afterEach(() => rig.close());

/** Creates a partial file as an unsuccessful build leaves it. */
const leave = (content: Buffer) => writeFile(join(rig.partialFolder, hexOf(digest)), content);

/** Starts a build in a separate process and waits until some bytes are on disk. */
async function startBuild(count: number) {
  const child = spawn(process.execPath, [
    program,
    rig.store.folder,
    rig.server.url('/blob').href,
    digest,
    String(bytes.length),
  ]);
  const ended = once(child, 'exit');
  while ((await partialSize()) < count) await new Promise((resolve) => setTimeout(resolve, 10));
  return { child, ended };
}

async function partialSize(): Promise<number> {
  const [name] = await readdir(rig.partialFolder);
  if (name === undefined) return 0;
  const found = await stat(join(rig.partialFolder, name)).catch(() => undefined);
  return found?.size ?? 0;
}

describe('a build that was killed', () => {
  it('resumes a killed build from the end of its file', async () => {
    rig.server.answer({ '/blob': inTurn(stallAfter(2_500_000, bytes), serve(bytes)) });
    // Only the bytes of an incomplete chunk are missing on disk.
    const { child, ended } = await startBuild(2_000_000);
    child.kill('SIGKILL');
    await ended;
    const kept = await partialSize();
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
    expect(rig.ranges()).toEqual([undefined, `bytes=${kept}-`]);
    expect(rig.statistics).toEqual({
      fetched: bytes.length - kept,
      fromCache: 0,
      hashed: bytes.length,
      written: bytes.length - kept,
    });
    expect(rig.rows).toMatchObject([{ advanced: bytes.length }]);
    expect(await rig.partials()).toEqual({});
  });
});

describe('a concurrent build', () => {
  it('leaves a concurrent build undisturbed, and downloads the blob separately', async () => {
    rig.server.answer({ '/blob': inTurn(stallAfter(2_500_000, bytes), serve(bytes)) });
    const { child, ended } = await startBuild(2_000_000);
    const [theirs] = Object.keys(await rig.partials());
    await rig.downloader.fetch(rig.download(bytes));
    expect(rig.ranges()).toEqual([undefined, undefined]);
    expect(await rig.stored(bytes)).toEqual(bytes);
    expect(Object.keys(await rig.partials())).toEqual([theirs]);
    child.kill('SIGKILL');
    await ended;
  });
});

describe('a partial file of an earlier build', () => {
  it('verifies a complete partial file, and downloads nothing', async () => {
    await leave(bytes);
    await rig.downloader.fetch(rig.download(bytes));
    expect(rig.server.seen()).toHaveLength(0);
    expect(rig.statistics).toMatchObject({ fetched: 0, hashed: bytes.length, written: 0 });
    expect(await rig.stored(bytes)).toEqual(bytes);
  });

  it('detects a damaged partial file at the end, and downloads everything again', async () => {
    const damaged = Buffer.from(bytes.subarray(0, 1_000_000));
    damaged.fill(0, 500_000);
    await leave(damaged);
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
    expect(rig.ranges()).toEqual(['bytes=1000000-', undefined]);
    expect(rig.notes).toEqual([expect.stringContaining('damaged')]);
    expect(rig.rows).toMatchObject([{ isEnded: true }, { advanced: bytes.length, isEnded: true }]);
  });

  it('fails if the partial file and the new download are both damaged', async () => {
    const wrong = Buffer.from(bytes).fill(0, 2_000_000);
    rig.server.answer({ '/blob': serve(wrong) });
    await leave(bytes.subarray(0, 1_000_000));
    await expect(rig.downloader.fetch(rig.download(bytes))).rejects.toMatchObject({
      code: 'BLOB_DIGEST',
    });
    expect(rig.server.seen()).toHaveLength(2);
    expect(await rig.partials()).toEqual({});
  });

  it('downloads everything again if the partial file is longer than the blob', async () => {
    await leave(Buffer.concat([bytes, bytes]));
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
    expect(rig.ranges()).toEqual([undefined]);
  });

  it('completes a partial file from a server that ignores ranges', async () => {
    rig.server.answer({ '/blob': serve(bytes, { ranges: false }) });
    await leave(bytes.subarray(0, 1_000_000));
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
    expect(rig.statistics).toMatchObject({ fetched: 3_000_000, written: 2_000_000 });
  });

  it('completes a partial file from a server that rejects ranges', async () => {
    rig.server.answer({ '/blob': rangeNotSatisfiable(bytes) });
    await leave(bytes.subarray(0, 1_000_000));
    await rig.downloader.fetch(rig.download(bytes));
    expect(await rig.stored(bytes)).toEqual(bytes);
    expect(rig.ranges()).toEqual(['bytes=1000000-', undefined]);
  });
});

describe('a disk that becomes full', () => {
  it('reports a full disk with the missing bytes, and keeps the written ones', async () => {
    // A limit on file sizes, in units of 512 bytes, simulates a full disk.
    const limited = `ulimit -f 2048; exec "$0" "$@"`;
    const child = spawn('sh', [
      '-c',
      limited,
      process.execPath,
      program,
      rig.store.folder,
      rig.server.url('/blob').href,
      digest,
      String(bytes.length),
    ]);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    await once(child, 'close');
    expect(JSON.parse(output)).toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(/^cannot write .*: the disk is full$/),
      hint: expect.stringMatching(/^Free space for \d+ more bytes, or move the cache/),
    });
    expect(await rig.partials()).toEqual({ [hexOf(digest)]: bytes.subarray(0, 1_048_576) });
  });
});
