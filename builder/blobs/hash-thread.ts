import type { createHash, Hash } from 'node:crypto';
import type { writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { HashOrder, HashReply } from './hash-messages.ts';

/** What the thread works with. */
interface ThreadTools {
  readonly port: MessagePort;
  readonly createHash: typeof createHash;
  readonly writeSync: typeof writeSync;
}

/**
 * The other side of hash-threads.ts: hashes what passes and writes it to its file, in one visit to
 * the bytes, while the main thread does nothing but receive.
 *
 * It reaches its thread as text, so it may use nothing from around it. That spares each thread a
 * type stripper of its own (17 MB), and a bundled program the file.
 */
export function hashThread({ port, createHash, writeSync }: ThreadTools): void {
  type Piece = Extract<HashOrder, { kind: 'piece' }>;
  const hashes = new Map<number, Hash>();
  const failures = new Map<number, HashReply['failure']>();

  port.on('message', (order: HashOrder) => {
    const { job, kind } = order;
    if (kind === 'piece') {
      takePiece(order);
      return;
    }
    if (kind === 'digest') reply({ job, hex: hashOf(job).digest('hex') });
    hashes.delete(job);
    failures.delete(job);
  });

  function takePiece({ job, buffer, length, target }: Piece): void {
    // What comes after a failed write would leave a hole before it.
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

  /** A write may take less than it was given, on a disk that is filling up for one. */
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
