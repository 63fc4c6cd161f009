import type { createHash, Hash } from 'node:crypto';
import type { writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';

/** A request to a hashing thread. The requests of one job are processed in order. */
export type HashRequest =
  | {
      readonly kind: 'chunk';
      readonly job: number;
      /** Transferred to the thread and back, so that a job reuses two buffers. */
      readonly buffer: ArrayBuffer;
      /** Number of valid bytes in the buffer. */
      readonly length: number;
      /** Where to write the bytes; absent when they were read from the file itself. */
      readonly target: ChunkTarget | undefined;
    }
  /** Requests the digest of all chunks so far and ends the job. */
  | { readonly kind: 'digest'; readonly job: number }
  /** Ends the job. The only request without a reply. */
  | { readonly kind: 'forget'; readonly job: number };

export interface ChunkTarget {
  readonly fd: number;
  readonly position: number;
}

/** The reply to one request: the buffer to reuse, the digest, or the failure. */
export interface HashReply {
  readonly job: number;
  readonly buffer?: ArrayBuffer | undefined;
  readonly hex?: string | undefined;
  /** A file system error in a form that can be cloned between threads. */
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
}

/** Dependencies of the thread. */
interface ThreadTools {
  readonly port: MessagePort;
  readonly createHash: typeof createHash;
  readonly writeSync: typeof writeSync;
}

/**
 * The worker side of hash-threads.ts: hashes each chunk and writes it to its file, while the main
 * thread only receives.
 *
 * The function is passed to the worker as source text, so it must not reference outer scope. This
 * saves a type stripper per thread (17 MB) and a separate file in the bundled program.
 */
export function hashThread({ port, createHash, writeSync }: ThreadTools): void {
  type ChunkRequest = Extract<HashRequest, { kind: 'chunk' }>;
  const hashes = new Map<number, Hash>();
  const failures = new Map<number, HashReply['failure']>();

  port.on('message', (request: HashRequest) => {
    const { job, kind } = request;
    if (kind === 'chunk') {
      takeChunk(request);
      return;
    }
    if (kind === 'digest') reply({ job, hex: hashOf(job).digest('hex') });
    hashes.delete(job);
    failures.delete(job);
  });

  function takeChunk({ job, buffer, length, target }: ChunkRequest): void {
    // Writing after a failed write would leave a hole in the file.
    if (!failures.has(job)) {
      try {
        const bytes = new Uint8Array(buffer, 0, length);
        if (target !== undefined) writeAll(target.fd, bytes, target.position);
        hashOf(job).update(bytes);
        reply({ job, buffer }, [buffer]);
        return;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        failures.set(job, { code, message: String(error) });
      }
    }
    reply({ job, failure: failures.get(job) });
  }

  /** Writes all bytes. A single write may be short, for example on a disk that is almost full. */
  function writeAll(fd: number, bytes: Uint8Array, position: number): void {
    for (let at = 0; at < bytes.length; ) {
      at += writeSync(fd, bytes, at, bytes.length - at, position + at);
    }
  }

  function hashOf(job: number): Hash {
    const hash = hashes.get(job) ?? createHash('sha256');
    hashes.set(job, hash);
    return hash;
  }

  function reply(message: HashReply, transfer: ArrayBuffer[] = []): void {
    port.postMessage(message, transfer);
  }
}
