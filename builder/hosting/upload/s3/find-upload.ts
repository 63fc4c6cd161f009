import { LandfallError } from '#contract/errors.ts';
import { elementsOf, textOf } from './elements.ts';
import type { S3Client, S3Response } from './s3-client.ts';

/** A part that the server stored. */
export interface StoredPart {
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Returns the ID of the latest unfinished upload of a key. Without the permission to list uploads, or on
 * a server that has no such list, it is undefined and the upload starts from the beginning.
 */
export async function findUpload(client: S3Client, key: string): Promise<string | undefined> {
  try {
    const { text } = await client.send({
      method: 'GET',
      key: '',
      query: { uploads: '', prefix: key },
    });
    const uploads = elementsOf(text, 'Upload').filter((each) => textOf(each, 'Key') === key);
    const [latest] = uploads.toSorted((one, other) => startOf(other) - startOf(one));
    return latest && textOf(latest, 'UploadId');
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'UPLOAD_REFUSED') return undefined;
    throw error;
  }
}

function startOf(upload: string): number {
  return Date.parse(textOf(upload, 'Initiated') ?? '') || 0;
}

/** Returns the parts of an unfinished upload by number. @throws TransferError UPLOAD_REFUSED, NETWORK_… */
export async function storedParts(
  client: S3Client,
  key: string,
  uploadId: string,
): Promise<Map<number, StoredPart>> {
  const parts = new Map<number, StoredPart>();
  let marker: string | undefined = '0';
  while (marker !== undefined) {
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
