import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { HttpClient } from '#http/client.ts';
import type { Reporter } from '../../../../builder/base/progress/reporter.ts';
import { newStatistics, type Statistics } from '../../../../builder/base/progress/statistics.ts';
import type { Descriptor } from '../../../../builder/inputs/blobs/blob.ts';
import { type Download, Downloader } from '../../../../builder/inputs/blobs/download.ts';
import { BlobStore } from '../../../../builder/inputs/blobs/store.ts';
import { FaultyServer, type Handler, type Routes } from '../../../faulty-server/faulty-server.ts';

// Every blob is synced to disk, which takes time.
vi.setConfig({ testTimeout: 300_000 });

/** A displayed progress row. */
export interface ShownRow {
  readonly label: string;
  readonly total: number;
  advanced: number;
  isEnded: boolean;
}

/** A store, a faulty server, and a downloader without delays. */
export class Rig {
  readonly server: FaultyServer;
  readonly store: BlobStore;
  readonly client = new HttpClient({ env: {} });
  readonly statistics: Statistics = newStatistics();
  readonly notes: string[] = [];
  readonly rows: ShownRow[] = [];
  /** Milliseconds of each delay between attempts. */
  readonly pauses: number[] = [];
  readonly downloader: Downloader;

  private constructor(server: FaultyServer, store: BlobStore, concurrency: number | undefined) {
    this.server = server;
    this.store = store;
    this.downloader = this.newDownloader(concurrency);
  }

  static async start(routes: Handler | Routes = {}, concurrency?: number): Promise<Rig> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-blobs-'));
    const store = await BlobStore.open(join(folder, 'store'));
    return new Rig(await FaultyServer.start(routes), store, concurrency);
  }

  /** Another downloader on the same store, like another build. */
  newDownloader(concurrency?: number): Downloader {
    return new Downloader({
      store: this.store,
      statistics: this.statistics,
      concurrency,
      reporter: this.#reporter(),
      sleep: async (milliseconds) => {
        this.pauses.push(milliseconds);
      },
    });
  }

  /** A download of this path of the server. */
  download(bytes: Buffer, path = '/blob', signal?: AbortSignal): Download {
    const descriptor = descriptorOf(bytes);
    const open = (from: number) =>
      this.client.send({
        url: this.server.url(path),
        headers: from > 0 ? { range: `bytes=${from}-` } : {},
        signal,
      });
    return { descriptor, label: 'a layer', host: this.server.host, open };
  }

  /** The stored content of the digest of these bytes. */
  stored(bytes: Buffer): Promise<Buffer> {
    return readFile(this.store.path(descriptorOf(bytes).digest));
  }

  /** Names and sizes of partial blobs. */
  async partials(): Promise<Record<string, Buffer>> {
    const folder = this.partialFolder;
    const names = await readdir(folder);
    const files = names.map(async (name) => [name, await readFile(join(folder, name))] as const);
    return Object.fromEntries(await Promise.all(files));
  }

  get partialFolder(): string {
    return join(this.store.folder, 'partial');
  }

  /** The received Range headers, undefined for none. */
  ranges(path = '/blob'): Array<string | undefined> {
    return this.server.seen(path).map(({ headers }) => headers.range);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.server.close();
    await rm(join(this.store.folder, '..'), { recursive: true, force: true });
  }

  #reporter(): Reporter {
    return {
      step: () => {},
      note: (text) => this.notes.push(text),
      transfer: (label, total) => {
        const row = { label, total, advanced: 0, isEnded: false };
        this.rows.push(row);
        return {
          advance: (bytes) => {
            row.advanced += bytes;
          },
          skip: (bytes) => {
            row.advanced += bytes;
          },
          waitFor: (other) => other,
          end: () => {
            row.isEnded = true;
          },
        };
      },
      close: () => {},
    };
  }
}

export function descriptorOf(bytes: Buffer): Descriptor {
  return { mediaType: 'application/octet-stream', digest: digestOf(bytes), size: bytes.length };
}

/** Content without repetition. */
export function contentOf(size: number): Buffer {
  return randomBytes(size);
}
