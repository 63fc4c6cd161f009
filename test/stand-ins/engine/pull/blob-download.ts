import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { directUrl, directUrlTimeout } from './direct-url.ts';
import { goFileError, goNetworkError } from './go-errors.ts';
import { registryRequest } from './registry-request.ts';

/** Milliseconds; tests use shorter ones. */
export interface PullPace {
  /** Pause after the first failed attempt of a part; doubles with each attempt. */
  readonly retry?: number;
  readonly directUrl?: number;
}

/** Ollama's record of a part in `<blob>-partial-0`. Blobs below 100 MB have one part. */
interface Part {
  readonly N: number;
  readonly Offset: number;
  readonly Size: number;
  Completed: number;
}

export interface BlobProgress {
  readonly total: number;
  readonly completed: number;
}

const maxRetries = 6;
/** Bytes between two lines of progress. */
const step = 64 * 1024;

/**
 * Downloads a blob as Ollama does (`server/download.go`): the size from a HEAD request, the content
 * from another host, without checking the status there. An interrupted part is resumed.
 * @param path path of the blob in the store
 * @throws Error with Ollama's message
 */
export async function* downloadBlob(
  url: URL,
  path: string,
  pace: PullPace = {},
): AsyncGenerator<BlobProgress> {
  const partial = `${path}-partial`;
  const part = await prepare(url, `${partial}-0`);
  const file = await open(partial, constants.O_CREAT | constants.O_RDWR, 0o644);
  try {
    await file.truncate(part.Size);
    const content = await directUrl(url, pace.directUrl ?? directUrlTimeout);
    yield* tries(content, file, partial, part, pace.retry ?? 1000);
  } finally {
    await file.close();
  }
  await rm(`${partial}-0`);
  await rename(partial, path);
}

async function prepare(url: URL, record: string): Promise<Part> {
  const kept = await readFile(record, 'utf8').catch(() => undefined);
  if (kept !== undefined) return JSON.parse(kept) as Part;
  const response = await registryRequest({ method: 'HEAD', url });
  const part = {
    N: 0,
    Offset: 0,
    Size: Number(response.headers.get('content-length')),
    Completed: 0,
  };
  await writeFile(record, JSON.stringify(part));
  return part;
}

async function* tries(content: URL, file: FileHandle, path: string, part: Part, wait: number) {
  let last = '';
  for (let failed = 0; failed < maxRetries; failed += 1) {
    if (part.Completed === part.Size) return;
    const before = part.Completed;
    try {
      yield* chunk(content, file, path, part);
      return;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
      if (last.endsWith('no space left on device')) throw error;
      // Keep bytes of a response that ended early.
      if (last !== 'unexpected EOF') part.Completed = before;
      await writeFile(`${path}-0`, JSON.stringify(part));
    }
    await pause(wait * 2 ** failed);
  }
  throw new Error(`max retries exceeded: ${last}`);
}

async function* chunk(content: URL, file: FileHandle, path: string, part: Part) {
  const range = `bytes=${part.Completed}-${part.Size - 1}`;
  const response = await fetch(content, { headers: { range } }).catch((error: unknown) => {
    throw new Error(`Get ${JSON.stringify(content.href)}: ${goNetworkError(error, content)}`);
  });
  let told = part.Completed;
  if (part.Completed > 0) yield { total: part.Size, completed: part.Completed };
  for await (const bytes of bodyOf(response)) {
    const piece = bytes.subarray(0, part.Size - part.Completed);
    await file.write(piece, 0, piece.length, part.Completed).catch((error: unknown) => {
      throw goFileError(error, path);
    });
    part.Completed += piece.length;
    const done = part.Completed === part.Size;
    if (done || part.Completed - told >= step) {
      told = part.Completed;
      yield { total: part.Size, completed: part.Completed };
    }
    if (done) return;
  }
  throw new Error('EOF');
}

async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? [];
  } catch {
    throw new Error('unexpected EOF');
  }
}
