import { constants, type FileHandle, open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Digest } from '#contract/trust/digest.ts';
import type { Statistics } from '../progress/statistics.ts';
import { type HashJob, SmallHashJob } from './hash-job.ts';
import { type HashReply, type HashRequest, hashThread } from './hash-thread.ts';

/** Small network chunks are combined into larger ones: fewer messages and fewer writes. */
const chunkBytes = 512 * 1024;

/** A file that is written sequentially and hashed, on another thread if it is large. */
export class HashedFile {
  readonly #file: FileHandle;
  readonly #statistics: Statistics;
  readonly #size: number | undefined;
  #job: HashJob;
  /** Two buffers: one is filled while the other is hashed and written. */
  #filling = new ArrayBuffer(chunkBytes);
  #other: Promise<ArrayBuffer> = Promise.resolve(new ArrayBuffer(chunkBytes));
  #filled = 0;
  #given = 0;
  #isEnded = false;

  private constructor(file: FileHandle, statistics: Statistics, size: number | undefined) {
    this.#file = file;
    this.#statistics = statistics;
    this.#size = size;
    this.#job = startHashJob(size);
  }

  /**
   * Opens or creates a file. Existing content counts only after `rehash`.
   * @param size expected bytes
   */
  static async open(path: string, statistics: Statistics, size?: number): Promise<HashedFile> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
    return new HashedFile(await open(path, flags, 0o644), statistics, size);
  }

  /** Number of bytes that are hashed and written, or queued for it. */
  get length(): number {
    return this.#given + this.#filled;
  }

  /** Hashes the existing content, so that writing continues after it. Call it first. */
  async rehash(signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const buffer = new Uint8Array(this.#filling);
      const { bytesRead } = await this.#file.read(buffer, 0, chunkBytes, this.#given);
      if (bytesRead === 0) return;
      await this.#give(bytesRead, undefined);
    }
  }

  /** Appends bytes and waits while the thread is behind. @throws the error of an earlier write */
  async write(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.subarray(at, at + chunkBytes - this.#filled);
      new Uint8Array(this.#filling).set(slice, this.#filled);
      this.#filled += slice.length;
      at += slice.length;
      if (this.#filled === chunkBytes) await this.#flush();
    }
  }

  /** Truncates the file and starts again. */
  async restart(): Promise<void> {
    this.#other = Promise.resolve(await this.#other);
    this.#job.forget();
    this.#job = startHashJob(this.#size);
    await this.#file.truncate(0);
    this.#filled = 0;
    this.#given = 0;
    this.#isEnded = false;
  }

  /** Returns the digest of the whole file after syncing it to disk. No writes may follow. */
  async finish(): Promise<Digest> {
    await this.#flush();
    await this.#other;
    this.#isEnded = true;
    const hex = await this.#job.digest();
    await this.#file.datasync();
    return `sha256:${hex}`;
  }

  /** Flushes buffered bytes and closes the file. Works in any state. */
  async close(): Promise<void> {
    if (!this.#isEnded) {
      await this.#flush().catch(() => {});
      // The thread must finish first: after close, the file descriptor can be reused for another
      // file.
      await this.#other.catch(() => {});
      this.#job.forget();
    }
    this.#isEnded = true;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    if (this.#filled === 0) return;
    const length = this.#filled;
    this.#filled = 0;
    this.#statistics.written += length;
    await this.#give(length, { fd: this.#file.fd, position: this.#given });
  }

  /** Transfers the filled buffer to the thread and waits for the other one. */
  async #give(length: number, target: { fd: number; position: number } | undefined): Promise<void> {
    const back = this.#other;
    this.#other = this.#job.chunk(this.#filling, length, target);
    // The next write reports the failure; this handler prevents an unhandled rejection until then.
    this.#other.catch(() => {});
    this.#given += length;
    this.#statistics.hashed += length;
    this.#filling = await back;
  }
}

const threadSource = `(${hashThread})({
  port: require('node:worker_threads').parentPort,
  createHash: require('node:crypto').createHash,
  writeSync: require('node:fs').writeSync,
});`;

/** More than two threads do not help: the network and the disk are the bottleneck. */
const threadCount = Math.min(2, availableParallelism());
const threads: HashThread[] = [];
let lastJob = 0;
/** Bytes that the main thread hashes. Starting a thread takes as long as hashing twice as many. */
let mainThreadBytes = 64 * 1024 * 1024;

/**
 * Starts a job on the least loaded thread. The threads are shared by the whole process because
 * hashing is limited by cores. They start on demand and do not keep the process alive while idle.
 * @param size expected bytes; a build that downloads little starts no thread
 */
export function startHashJob(size = Number.POSITIVE_INFINITY): HashJob {
  if (threads.length === 0 && size <= mainThreadBytes) {
    mainThreadBytes -= size;
    return new SmallHashJob();
  }
  const idle = threads.find((thread) => thread.load === 0);
  if (idle === undefined && threads.length < threadCount) threads.push(new HashThread());
  const thread = threads.reduce((best, other) => (other.load < best.load ? other : best));
  lastJob += 1;
  return thread.start(lastJob);
}

class HashThread {
  /** The pending replies of each job. */
  readonly #jobs = new Map<number, PromiseWithResolvers<HashReply>[]>();
  readonly #worker: Worker;

  constructor() {
    this.#worker = new Worker(threadSource, { eval: true, execArgv: [] });
    this.#worker.unref();
    this.#worker.on('message', (reply: HashReply) => this.#deliver(reply));
    this.#worker.on('error', (error) => this.#fail(error));
  }

  get load(): number {
    return this.#jobs.size;
  }

  start(job: number): HashJob {
    this.#jobs.set(job, []);
    this.#worker.ref();
    return {
      chunk: async (buffer, length, target) => {
        const reply = this.#send({ kind: 'chunk', job, buffer, length, target }, [buffer]);
        return present((await reply).buffer);
      },
      digest: async () => {
        const { hex } = await this.#send({ kind: 'digest', job }).finally(() => this.#end(job));
        return present(hex);
      },
      forget: () => {
        this.#worker.postMessage({ kind: 'forget', job } satisfies HashRequest);
        this.#end(job);
      },
    };
  }

  #send(request: HashRequest, transfer: ArrayBuffer[] = []): Promise<HashReply> {
    const waiting = Promise.withResolvers<HashReply>();
    const queue = this.#jobs.get(request.job);
    if (queue === undefined) waiting.reject(new Error('the hashing thread has stopped'));
    queue?.push(waiting);
    this.#worker.postMessage(request, transfer);
    return waiting.promise;
  }

  #deliver(reply: HashReply): void {
    const waiting = this.#jobs.get(reply.job)?.shift();
    if (reply.failure === undefined) waiting?.resolve(reply);
    else waiting?.reject(Object.assign(new Error(reply.failure.message), reply.failure));
  }

  #end(job: number): void {
    this.#jobs.delete(job);
    if (this.#jobs.size === 0) this.#worker.unref();
  }

  /** Rejects all jobs of a crashed thread. The next job starts a new thread. */
  #fail(error: unknown): void {
    threads.splice(threads.indexOf(this), 1);
    for (const queue of this.#jobs.values()) for (const waiting of queue) waiting.reject(error);
    this.#jobs.clear();
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('unexpected reply from the hashing thread');
  return value;
}
