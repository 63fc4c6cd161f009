import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type HashJob, SmallHashJob } from './hash-job.ts';
import { type HashReply, type HashRequest, hashThread } from './hash-thread.ts';

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
