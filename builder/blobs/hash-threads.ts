import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { HashOrder, HashReply, PieceTarget } from './hash-messages.ts';
import { hashThread } from './hash-thread.ts';

/** One content that is being hashed, on the thread that keeps its state. */
interface HashJob {
  /**
   * Gives a piece away and gets its buffer back once it is hashed and, with a target, written.
   * @throws Error with the `code` of the failed write
   */
  piece(buffer: ArrayBuffer, length: number, target?: PieceTarget): Promise<ArrayBuffer>;
  /** The SHA-256 of all pieces in hex, which ends the job. */
  digest(): Promise<string>;
  /** Ends the job without a digest. */
  forget(): void;
}

const threadSource = `(${hashThread})({
  port: require('node:worker_threads').parentPort,
  createHash: require('node:crypto').createHash,
  writeSync: require('node:fs').writeSync,
});`;

/** Beyond two, the network and the disk are what is waited for. */
const threadCount = Math.min(2, availableParallelism());
const threads: HashThread[] = [];
let lastJob = 0;

/**
 * Begins a job on the thread that has the least to do. The threads belong to the process, since
 * cores are what bounds hashing, not who asks; they start with the first jobs and, while idle, do
 * not keep the process from ending.
 */
export function startHashJob(): HashJob {
  const idle = threads.find((thread) => thread.load === 0);
  if (idle === undefined && threads.length < threadCount) threads.push(new HashThread());
  const thread = threads.reduce((best, other) => (other.load < best.load ? other : best));
  lastJob += 1;
  return thread.start(lastJob);
}

class HashThread {
  /** For each job, who waits for its replies. */
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
      piece: async (buffer, length, target) => {
        const reply = this.#ask({ kind: 'piece', job, buffer, length, target }, [buffer]);
        return present((await reply).buffer);
      },
      digest: async () => {
        const { hex } = await this.#ask({ kind: 'digest', job }).finally(() => this.#end(job));
        return present(hex);
      },
      forget: () => {
        this.#worker.postMessage({ kind: 'forget', job } satisfies HashOrder);
        this.#end(job);
      },
    };
  }

  #ask(order: HashOrder, transfer: ArrayBuffer[] = []): Promise<HashReply> {
    const waiting = Promise.withResolvers<HashReply>();
    const queue = this.#jobs.get(order.job);
    if (queue === undefined) waiting.reject(new Error('the hashing thread is gone'));
    queue?.push(waiting);
    this.#worker.postMessage(order, transfer);
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

  /** A thread that dies takes its jobs with it; the next job starts another. */
  #fail(error: unknown): void {
    threads.splice(threads.indexOf(this), 1);
    for (const queue of this.#jobs.values()) for (const waiting of queue) waiting.reject(error);
    this.#jobs.clear();
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the hashing thread answered something else');
  return value;
}
