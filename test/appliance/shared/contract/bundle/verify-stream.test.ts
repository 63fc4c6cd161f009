import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { verifyBundle, verifyHead } from '#contract/bundle/verify.ts';
import { replace } from '../../../../simulator/arrange.ts';
import { makeBundle } from '../../../../simulator/bundle.ts';
import { strangerKey } from '../../../../simulator/keys.ts';
import { judge, serverPolicy } from '../../../../simulator/verdict.ts';

const honest = makeBundle();
const large = makeBundle({ files: [{ path: 'large', content: Buffer.alloc(1_000_000, 'x') }] });
const forged = makeBundle({ signer: strangerKey });

/** A source that records how much of it was read, and whether it was closed. */
class WatchedSource {
  produced = 0;
  closed = 0;
  readonly #bytes: Buffer;
  readonly #chunkSize: number;

  constructor(bytes: Buffer, chunkSize = 1000) {
    this.#bytes = bytes;
    this.#chunkSize = chunkSize;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      while (this.produced < this.#bytes.length) {
        const start = this.produced;
        this.produced = Math.min(start + this.#chunkSize, this.#bytes.length);
        yield this.#bytes.subarray(start, this.produced);
      }
    } finally {
      this.closed += 1;
    }
  }
}

/** A source that breaks with an error of the system after so many bytes. */
async function* failing(bytes: Buffer, after: number, error: Error): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, after);
  throw error;
}

describe('a source that fails', () => {
  const inputOutputError = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });

  it.each([0, 100, 3000, honest.length - 600, honest.length])(
    'reports the own error of a failed source, not a truncated bundle (after %i bytes)',
    async (after) => {
      const source = failing(honest, after, inputOutputError);
      await expect(verifyBundle(source, serverPolicy)).rejects.toBe(inputOutputError);
    },
  );

  it('reports a failed source even if the sink swallowed the error', async () => {
    const source = failing(large, large.length - 500_000, inputOutputError);
    await expect(verifyBundle(source, serverPolicy, careless)).rejects.toBe(inputOutputError);
  });
});

describe('a source', () => {
  it('closes the source after a bundle was accepted', async () => {
    const source = new WatchedSource(honest);
    await verifyBundle(source, serverPolicy);
    expect(source).toMatchObject({ closed: 1, produced: honest.length });
  });

  it('closes the source after a rejection, without reading the rest', async () => {
    const source = new WatchedSource(Buffer.concat([forged, Buffer.alloc(1_000_000)]));
    await expect(verifyBundle(source, serverPolicy)).rejects.toMatchObject({ rule: 'trusted' });
    expect(source.closed).toBe(1);
    expect(source.produced).toBeLessThanOrEqual(forged.length);
  });

  it('closes the source when the sink fails, and passes the error of the sink', async () => {
    const source = new WatchedSource(large);
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const sink = () => Promise.reject(full);
    await expect(verifyBundle(source, serverPolicy, sink)).rejects.toBe(full);
    expect(source.closed).toBe(1);
  });

  it('may fail to close without changing the verdict', async () => {
    const source = (bytes: Buffer) => ({
      [Symbol.asyncIterator]: () => {
        let given = false;
        return {
          next: async () => {
            if (given) return { done: true as const, value: undefined };
            given = true;
            return { done: false as const, value: bytes };
          },
          return: () => Promise.reject(new Error('cannot close')),
        };
      },
    });
    expect(await judge(source(honest))).toMatchObject({ accepted: true });
    expect(await judge(source(forged))).toMatchObject({ rule: 'trusted' });
  });

  it('may be a file, which is closed after a rejection', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-'));
    try {
      const path = join(folder, 'forged.tar');
      await writeFile(path, Buffer.concat([forged, Buffer.alloc(1_000_000)]));
      const file = await open(path);
      const stream = file.createReadStream();
      expect(await judge(stream)).toMatchObject({ rule: 'trusted' });
      expect(stream.destroyed).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('may be a web stream, which is cancelled after a rejection', async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(forged)),
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await judge(Readable.fromWeb(endless as never))).toMatchObject({ rule: 'trusted' });
    expect(cancelled).toBe(true);
  });

  it('may reuse its buffer: verified data does not change', async () => {
    const shared = Buffer.alloc(512);
    async function* reusing(): AsyncGenerator<Buffer> {
      for (let at = 0; at < honest.length; at += 512) {
        const length = honest.copy(shared, 0, at, at + 512);
        yield shared.subarray(0, length);
        shared.fill(0xff);
      }
    }
    expect(await judge(reusing())).toMatchObject({ accepted: true });
  });

  it('may yield one byte at a time, and empty chunks', async () => {
    async function* dripping(): AsyncGenerator<Buffer> {
      for (const byte of honest) {
        yield Buffer.alloc(0);
        yield Buffer.of(byte);
      }
    }
    expect(await judge(dripping())).toMatchObject({ accepted: true });
  });

  it('reads the source no further than the sink, with constant memory at any size', async () => {
    const chunk = 4096;
    const source = new WatchedSource(large, chunk);
    const { headSize } = await verifyHead(new WatchedSource(large), serverPolicy);
    let consumed = headSize + 512;
    let ahead = 0;
    await verifyBundle(source, serverPolicy, async (_, content) => {
      for await (const part of content) {
        consumed += part.length;
        ahead = Math.max(ahead, source.produced - consumed);
      }
    });
    expect(consumed).toBe(headSize + 512 + 1_000_000);
    expect(ahead).toBeLessThan(chunk);
  });

  it('reads the source only up to the head to verify the head', async () => {
    const source = new WatchedSource(large, 512);
    const { headSize } = await verifyHead(source, serverPolicy);
    expect(source).toMatchObject({ closed: 1, produced: headSize + 512 });
  });
});

describe('a sink', () => {
  const tampered = makeBundle({
    files: [{ path: 'large', content: Buffer.alloc(100_000, 'x') }],
    arrange: replace('large', (member) => ({
      ...member,
      content: Buffer.concat([member.content.subarray(1), Buffer.from('y')]),
    })),
  });
  const emptyButSignedOtherwise = makeBundle({
    files: [{ path: 'empty', content: Buffer.alloc(0) }],
    release: ({ files, ...release }) => ({
      ...release,
      files: files.map((file) => ({ ...file, sha256: '0'.repeat(64) })),
    }),
  });
  const verdictOf = (bundle: Buffer, sink: Parameters<typeof verifyBundle>[2]) =>
    verifyBundle(new WatchedSource(bundle), serverPolicy, sink).then(
      () => 'accepted',
      (error) => error.rule ?? error,
    );

  it('gets every file with its bytes', async () => {
    const received: Record<string, string> = {};
    await verifyBundle(new WatchedSource(honest, 7), serverPolicy, async ({ path }, content) => {
      received[path] = (await drain(content)).toString();
    });
    expect(received).toEqual({
      'appliance.yaml': 'name: landfall\n',
      'bin/landfall.mjs': 'console.log(1);\n',
    });
  });

  it('gets an error for wrong bytes before its iteration ends, so that it does not rename them', async () => {
    let ended = false;
    const verdict = await verdictOf(tampered, async (_, content) => {
      await drain(content);
      ended = true;
    });
    expect(verdict).toBe('content');
    expect(ended).toBe(false);
  });

  it.each([
    ['does not begin to read', async () => {}],
    [
      'stops after the first chunk',
      async (_: unknown, content: AsyncIterable<Uint8Array>) => {
        for await (const chunk of content) if (chunk.length > 0) break;
      },
    ],
    ['swallows the refusal', careless],
    [
      'requests a chunk without waiting for it',
      async (_: unknown, content: AsyncIterable<Uint8Array>) => {
        content[Symbol.asyncIterator]()
          .next()
          .catch(() => {});
      },
    ],
  ])('that %s cannot cause a wrong file to be accepted', async (_, sink) => {
    expect(await verdictOf(tampered, sink)).not.toBe('accepted');
    expect(await verdictOf(emptyButSignedOtherwise, sink)).toBe('content');
  });

  it('may skip files: the rest is still verified', async () => {
    expect(await verdictOf(large, async () => {})).toBe('accepted');
    const first = async (_: unknown, content: AsyncIterable<Uint8Array>) => {
      for await (const _chunk of content) break;
    };
    expect(await verdictOf(large, first)).toBe('accepted');
  });

  it('calls no sink before the head is verified', async () => {
    let called = false;
    const sink = async () => {
      called = true;
    };
    expect(await verdictOf(forged, sink)).toBe('trusted');
    expect(called).toBe(false);
  });
});

/** A sink that ignores read errors. */
async function careless(_: unknown, content: AsyncIterable<Uint8Array>): Promise<void> {
  await drain(content).catch(() => {});
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
