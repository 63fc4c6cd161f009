import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { partName } from '#contract/bundle/part-name.ts';
import type { BundleHead } from '#contract/bundle/read-head.ts';
import type { HttpClient } from '#http/client.ts';
import type { ReleaseUrl } from './release-urls.ts';
import {
  expectSize,
  headOfServed,
  openServed,
  type ServedFile,
  sizeOfServed,
} from './served-file.ts';

/**
 * Requests every part of a bundle, and compares the sizes and the head with the release. Reads no more
 * than the head.
 * @param partSize bytes of each part except the last
 * @param expectRelease compares the head
 * @throws LandfallError USER_DATA_URL, NETWORK_…
 */
export async function checkParts(
  http: HttpClient,
  target: ReleaseUrl,
  partSize: number,
  expectRelease: (head: BundleHead, target: ReleaseUrl) => void,
): Promise<{ readonly size: number; readonly isResumable: boolean }> {
  const reader = new ByteReader(contentOf(http, target));
  try {
    const head = await headOfServed(reader, partOf(target, 0));
    expectRelease(head, target);
    const size = head.size + sizeAfterHead(target.pinned.release.files);
    let isResumable = true;
    for (let start = 0; start < size; start += partSize) {
      const part = partOf(target, start / partSize);
      const response = await openServed(http, part);
      await response.discard();
      expectSize(sizeOfServed(response), Math.min(partSize, size - start), part);
      isResumable &&= response.status === 206;
    }
    return { size, isResumable };
  } finally {
    await reader.close();
  }
}

/** Yields the parts one after the other. Requests a part only when it is read. */
async function* contentOf(http: HttpClient, target: ReleaseUrl): AsyncGenerator<Uint8Array> {
  for (let index = 0; ; index += 1) {
    const response = await openServed(http, partOf(target, index));
    try {
      yield* response.body;
    } finally {
      await response.discard();
    }
  }
}

function partOf({ name, url }: ReleaseUrl, index: number): ServedFile {
  return { name: partName(name, index), url: new URL(partName(url.href, index)) };
}
