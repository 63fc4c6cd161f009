import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { SmallHashJob } from '../../../builder/blobs/hash-job.ts';
import { startHashJob } from '../../../builder/blobs/hashed-file.ts';

const chunkOf = (text: string) => {
  const buffer = new ArrayBuffer(16);
  new Uint8Array(buffer).set(Buffer.from(text));
  return [buffer, text.length] as const;
};

describe('the choice of a thread', () => {
  it('hashes 64 MiB of known size on the main thread, and the rest on another one', () => {
    const sizes = [40, 20, 5, undefined, 1];
    const jobs = sizes.map((size) => startHashJob(size && size * 1024 * 1024));
    const areSmall = jobs.map((job) => job instanceof SmallHashJob);
    for (const job of jobs) job.forget();
    expect(areSmall).toEqual([true, true, false, false, false]);
  });
});

const kinds = [
  ['on the main thread', () => new SmallHashJob()],
  ['on another thread', () => startHashJob()],
] as const;

describe.each(kinds)('a hashing job %s', (_where, start) => {
  it('hashes its chunks in order, and only their valid bytes', async () => {
    const job = start();
    const [buffer, length] = chunkOf('one');
    const back = await job.chunk(buffer, length);
    expect(back.byteLength).toBe(16);
    void job.chunk(...chunkOf('two'));
    void job.chunk(...chunkOf('three'));
    expect(await job.digest()).toBe(sha256Hex('onetwothree'));
  });

  it('returns the digest of empty input', async () => {
    expect(await start().digest()).toBe(sha256Hex(''));
  });

  it('does not affect others when it is forgotten', async () => {
    const jobs = Array.from({ length: 6 }, start);
    for (const job of jobs) void job.chunk(...chunkOf('same'));
    jobs[0]?.forget();
    jobs[5]?.forget();
    const digests = await Promise.all(jobs.slice(1, 5).map((job) => job.digest()));
    expect(digests).toEqual(Array(4).fill(sha256Hex('same')));
  });

  it('writes nothing after a failed write, so that no hole appears', async () => {
    const file = await open('/dev/null', 'r');
    const job = start();
    const target = { fd: file.fd, position: 0 };
    await expect(job.chunk(...chunkOf('one'), target)).rejects.toMatchObject({ code: 'EBADF' });
    await expect(job.chunk(...chunkOf('two'))).rejects.toMatchObject({ code: 'EBADF' });
    job.forget();
    await file.close();
  });

  it('accepts nothing after its end', async () => {
    const job = start();
    await job.digest();
    await expect(job.chunk(...chunkOf('late'))).rejects.toThrow('has stopped');
  });
});

describe('a program that uses the hashing threads', () => {
  it('exits with its result', async () => {
    const module = fileURLToPath(new URL('../../../builder/blobs/hashed-file.ts', import.meta.url));
    const program = `
      const { startHashJob } = await import(${JSON.stringify(module)});
      const job = startHashJob();
      void job.chunk(new ArrayBuffer(4), 4);
      console.log(await job.digest());
    `;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stdout.trim()).toBe(sha256Hex(Buffer.alloc(4)));
  });
});
