import { LandfallError } from '#contract/errors.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { elementsOf, textOf } from './elements.ts';
import type { S3Client, S3Response } from './s3-client.ts';

/** A part that the server stored. */
export interface StoredPart {
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
