import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { diskError } from '../blobs/disk-errors.ts';
import { HashedFile } from '../blobs/hashed-file.ts';
import type { BlobStore } from '../blobs/store.ts';
import type { Statistics } from '../progress/statistics.ts';

export interface ImportParts {
  readonly store: BlobStore;
  readonly statistics: Statistics;
}

/** What is known of a content before it is read. */
interface Incoming {
  /** For messages. */
  readonly label: string;
  /** Bytes that will come. */
  readonly size: number;
  /** Absent where only reading it will tell. */
  readonly digest?: Digest | undefined;
}

/** Layers and documents alike: inside the store the kind does not matter. */
const mediaType = 'application/octet-stream';

/**
 * Copies a content from this machine into the store, hashed on the way. What has a known digest
 * and is there already is not read at all.
 * @throws LandfallError BLOB_DIGEST, BLOB_SIZE, DISK_FULL, FILE_ACCESS, and what the content throws
 */
export async function importBlob(
  content: AsyncIterable<Uint8Array>,
  incoming: Incoming,
  { store, statistics }: ImportParts,
): Promise<Descriptor> {
  const { digest: expected, size } = incoming;
  if (expected !== undefined) {
    const known = { mediaType, digest: expected, size };
    if (await store.has(known)) {
      statistics.fromCache += size;
      return known;
    }
  }
  const path = join(store.folder, 'partial', `import-${randomUUID()}`);
  try {
    const digest = await write(content, path, incoming, statistics);
    if (expected !== undefined && digest !== expected) throw otherDigest(incoming, digest);
    const descriptor = { mediaType, digest, size };
    await store.adopt(path, descriptor);
    return descriptor;
  } catch (error) {
    throw diskError(error, { action: 'write', path });
  } finally {
    await rm(path, { force: true });
  }
}

async function write(
  content: AsyncIterable<Uint8Array>,
  path: string,
  { label, size }: Incoming,
  statistics: Statistics,
): Promise<Digest> {
  const file = await HashedFile.open(path, statistics);
  try {
    let received = 0;
    for await (const chunk of content) {
      received += chunk.length;
      if (received > size) break;
      await file.write(chunk);
    }
    if (received === size) return await file.finish();
  } finally {
    await file.close();
  }
  throw new LandfallError('BLOB_SIZE', `${label} does not have the ${size} bytes it should have`, {
    hint: 'It is damaged, or it changed while it was read. Make it again.',
  });
}

function otherDigest({ label, digest }: Incoming, actual: Digest): LandfallError {
  return new LandfallError('BLOB_DIGEST', `${label} does not have the checksum in its name`, {
    hint: 'It is damaged or was tampered with. Make it again.',
    problems: [{ message: `expected ${digest}, found ${actual}` }],
  });
}
