import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { Digest } from '#contract/trust/digest.ts';
import { HashedFile } from '#files/hashed-file.ts';
import type { Statistics } from '../../base/progress/statistics.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { diskError } from '../blobs/disk-errors.ts';
import type { BlobStore } from '../blobs/store.ts';

export interface ImportParts {
  readonly store: BlobStore;
  readonly statistics: Statistics;
}

/** The expected content. */
interface Incoming {
  /** For messages. */
  readonly label: string;
  /** Expected size in bytes; absent when it is unknown before reading. */
  readonly size?: number | undefined;
  /** Maximum size in bytes, for an unknown one. */
  readonly max?: number | undefined;
  /** Absent when it is unknown before reading. */
  readonly digest?: Digest | undefined;
}

/** Used for layers and documents; the store does not keep media types. */
const mediaType = 'application/octet-stream';

/**
 * Copies content into the store and hashes it on the way. Skips content that is in the store already,
 * if its digest and size are known.
 * @throws LandfallError BLOB_DIGEST, BLOB_SIZE, DISK_FULL, FILE_ACCESS, and the errors of the
 * content
 */
export async function importBlob(
  content: AsyncIterable<Uint8Array>,
  incoming: Incoming,
  { store, statistics }: ImportParts,
): Promise<Descriptor> {
  const { digest: expected, size } = incoming;
  if (expected !== undefined && size !== undefined) {
    const known = { mediaType, digest: expected, size };
    if (await store.has(known)) {
      statistics.fromCache += size;
      return known;
    }
  }
  const path = join(store.folder, 'partial', `import-${randomUUID()}`);
  try {
    const stored = await write(content, path, incoming, statistics);
    if (expected !== undefined && stored.digest !== expected) {
      throw otherDigest(incoming, stored.digest);
    }
    await rename(path, store.path(stored.digest));
    return { mediaType, ...stored };
  } catch (error) {
    throw diskError(error, { action: 'write', path });
  } finally {
    await rm(path, { force: true });
  }
}

async function write(
  content: AsyncIterable<Uint8Array>,
  path: string,
  { label, size, max = size ?? 0 }: Incoming,
  statistics: Statistics,
): Promise<{ digest: Digest; size: number }> {
  const file = await HashedFile.open(path, statistics);
  try {
    let received = 0;
    for await (const chunk of content) {
      received += chunk.length;
      if (received > max) break;
      await file.write(chunk);
    }
    const isWhole = received <= max && received === (size ?? received);
    if (isWhole) return { digest: await file.finish(), size: received };
  } finally {
    await file.close();
  }
  if (size === undefined) {
    throw new LandfallError('BLOB_SIZE', `${label} is larger than ${max} bytes`, {
      hint: {
        en: 'Check the URL; this is not the expected file.',
        zh: '检查地址；这不是预期的文件。',
      },
    });
  }
  throw new LandfallError('BLOB_SIZE', `${label} does not have the expected ${size} bytes`, {
    hint: {
      en: 'Create it again; it is damaged or changed while it was read.',
      zh: '请重新生成它：它已损坏，或在读取时被更改。',
    },
  });
}

function otherDigest({ label, digest }: Incoming, actual: Digest): LandfallError {
  return new LandfallError('BLOB_DIGEST', `${label} does not have the expected digest`, {
    hint: 'Create it again; it is damaged or was modified.',
    problems: [{ message: `expected ${digest}, found ${actual}` }],
  });
}
