import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import type { Transfer } from '../../../../base/progress/reporter.ts';
import type { HashedFile } from '../../hashed-file.ts';
import { elementsOf, type S3Client, type S3Response, textOf } from './s3-client.ts';

/** An object to upload. */
export interface ObjectUpload {
  readonly client: S3Client;
  readonly key: string;
  /** Headers of the object, such as its metadata. */
  readonly headers: Readonly<Record<string, string>>;
  readonly file: HashedFile;
  readonly transfer: Transfer;
  readonly retry: RetryOptions;
}

interface Part {
  readonly uploadId: string;
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** Files up to this size are sent in one request. S3 accepts parts from 5 MiB. Bytes. */
export const minPart = 8 * 1024 * 1024;
/** The number of parts that S3 accepts. */
const maxParts = 10_000;
/** Parts in memory at a time. */
const parallel = 4;

/**
 * Uploads a file in parts. An unfinished upload of the same key is continued: parts with the same bytes
 * are kept. Until the last request, readers see the previous object.
 * @param isFresh whether to discard an unfinished upload. It can have the metadata of another file.
 * @throws TransferError UPLOAD_REFUSED, NETWORK_…
 */
export async function uploadInParts(upload: ObjectUpload, isFresh = false): Promise<void> {
  const { client, key, file, retry } = upload;
  let found = await findUpload(client, key, retry);
  if (isFresh && found !== undefined) {
    const query = { uploadId: found.uploadId };
    await client.send({ method: 'DELETE', key, query }, [403, 404]);
    found = undefined;
  }
  const uploadId = found?.uploadId ?? (await withRetry(key, () => create(upload), retry));
  const partSize = Math.max(minPart, Math.ceil(file.size / maxParts));
  const etags = new Array<string>(Math.ceil(file.size / partSize));
  await using handle = await open(file.path, 'r');
  const waiting = etags.keys();
  const work = async () => {
    const buffer = Buffer.alloc(partSize);
    // Workers share the iterator, so each part has one worker.
    for (const index of waiting) {
      const bytes = await readPart(handle, file, index * partSize, buffer);
      const part = { uploadId, number: index + 1, bytes };
      etags[index] =
        keepPart(upload, found?.parts.get(part.number), bytes) ?? (await send(upload, part));
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  await complete(upload, uploadId, etags);
}

async function create({ client, key, headers }: ObjectUpload): Promise<string> {
  const { text } = await client.send({ method: 'POST', key, query: { uploads: '' }, headers });
  const uploadId = textOf(text, 'UploadId');
  if (uploadId) return uploadId;
  throw new LandfallError('UPLOAD_REFUSED', `POST ${key} failed: unexpected response`, {
    hint: 'Check that --endpoint is the S3 endpoint, not the web page of the provider.',
  });
}

/** Returns the ETag of a stored part with the same bytes. It is their MD5, except with encryption. */
function keepPart(
  { transfer }: ObjectUpload,
  stored: StoredPart | undefined,
  bytes: Uint8Array,
): string | undefined {
  const md5 = createHash('md5').update(bytes).digest('hex');
  if (stored?.size !== bytes.length || stored.etag.replaceAll('"', '') !== md5) return undefined;
  transfer.skip(bytes.length);
  return stored.etag;
}

async function send(upload: ObjectUpload, { uploadId, number, bytes }: Part): Promise<string> {
  const { client, key, transfer, retry } = upload;
  return await withRetry(
    `part ${number} of ${key}`,
    async () => {
      let sent = 0;
      const onBytes = (count: number) => {
        sent += count;
        transfer.advance(count);
      };
      try {
        const query = { partNumber: `${number}`, uploadId };
        const stored = await client.send({ method: 'PUT', key, query, body: bytes, onBytes });
        return stored.header('etag') ?? '';
      } catch (error) {
        transfer.advance(-sent);
        throw error;
      }
    },
    retry,
  );
}

/** A second attempt can fail although the first one succeeded; the caller compares the object. */
async function complete(
  { client, key, retry }: ObjectUpload,
  uploadId: string,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  const request = { method: 'POST', key, query: { uploadId }, body: Buffer.from(body) } as const;
  await withRetry(key, () => client.send(request, [404]), retry);
}

/** A part that the server stored. */
interface StoredPart {
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
}

/** S3 accepts 10,000 parts and lists 1,000 at a time. */
const maxPages = 10;

/** An upload that was interrupted. */
interface UnfinishedUpload {
  readonly uploadId: string;
  /** By number, from 1. */
  readonly parts: ReadonlyMap<number, StoredPart>;
}

/**
 * Returns the latest unfinished upload of a key. It is undefined also without the permissions to list
 * uploads and parts, and on servers without these lists: the upload then starts from the beginning.
 * @throws TransferError NETWORK_…
 */
export async function findUpload(
  client: S3Client,
  key: string,
  retry: RetryOptions,
): Promise<UnfinishedUpload | undefined> {
  try {
    return await withRetry(key, () => search(client, key), retry);
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'UPLOAD_REFUSED') return undefined;
    throw error;
  }
}

async function search(client: S3Client, key: string): Promise<UnfinishedUpload | undefined> {
  const query = { uploads: '', prefix: key };
  const { text } = await client.send({ method: 'GET', key: '', query });
  const [latest] = [...elementsOf(text, 'Upload')]
    .filter((each) => textOf(each, 'Key') === key)
    .map((each) => ({ start: startOf(each), uploadId: textOf(each, 'UploadId') }))
    .toSorted((one, other) => other.start - one.start);
  const uploadId = latest?.uploadId;
  if (!uploadId) return undefined;
  return { uploadId, parts: await storedParts(client, key, uploadId) };
}

function startOf(upload: string): number {
  return Date.parse(textOf(upload, 'Initiated') ?? '') || 0;
}

async function storedParts(
  client: S3Client,
  key: string,
  uploadId: string,
): Promise<Map<number, StoredPart>> {
  const parts = new Map<number, StoredPart>();
  let marker: string | undefined = '0';
  for (let page = 0; page < maxPages && marker !== undefined; page += 1) {
    const query = { uploadId, 'part-number-marker': marker };
    const { text }: S3Response = await client.send({ method: 'GET', key, query });
    for (const part of elementsOf(text, 'Part')) {
      const number = Number(textOf(part, 'PartNumber'));
      parts.set(number, { etag: textOf(part, 'ETag') ?? '', size: Number(textOf(part, 'Size')) });
    }
    const next = textOf(text, 'NextPartNumberMarker');
    marker = textOf(text, 'IsTruncated') === 'true' && next !== marker ? next : undefined;
  }
  return parts;
}

/**
 * Reads a part of a file into a buffer that has the size of a part; the last part is smaller. Returns the
 * part, as a view of the buffer.
 * @throws LandfallError FILE_ACCESS when the file became smaller
 */
export async function readPart(
  handle: FileHandle,
  file: HashedFile,
  position: number,
  buffer: Buffer,
): Promise<Uint8Array> {
  const length = Math.min(buffer.length, file.size - position);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) {
      throw new LandfallError('FILE_ACCESS', `${file.path} changed during the upload`, {
        hint: 'Run the command again after the build has ended.',
      });
    }
    filled += bytesRead;
  }
  return buffer.subarray(0, length);
}
