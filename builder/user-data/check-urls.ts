import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { partName } from '#contract/bundle/part-name.ts';
import { type BundleHead, readHead } from '#contract/bundle/read-head.ts';
import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { HttpClient, HttpResponse } from '#http/client.ts';
import { bodyLength, bodyStart } from '#http/resume.ts';
import { safeUrl } from '#http/safe-url.ts';
import type { ReleaseUrl } from './release-urls.ts';

/** The result of a request to a URL. */
export type UrlCheck = ReleaseUrl & (Served | NotServed);

interface Served {
  readonly state: 'served';
  /** Bytes; undefined if the server does not send the size. */
  readonly size: number | undefined;
  /** Whether interrupted downloads can be resumed. */
  readonly isResumable: boolean;
}

interface NotServed {
  readonly state: 'not-served';
  readonly error: LandfallError;
}

/**
 * Requests every URL and compares its size and the head of the bundle with the release. Reads no more than
 * the head: the server verifies the rest when it downloads it.
 */
export function checkUrls(http: HttpClient, urls: readonly ReleaseUrl[]): Promise<UrlCheck[]> {
  return Promise.all(
    urls.map(async (target) => ({ ...target, ...(await checkUrl(http, target)) })),
  );
}

async function checkUrl(http: HttpClient, target: ReleaseUrl): Promise<Served | NotServed> {
  const { partSize } = target.pinned;
  try {
    const served =
      partSize === undefined
        ? await checkFile(http, target)
        : await checkParts(http, target, partSize, expectRelease);
    return { state: 'served', ...served };
  } catch (error) {
    if (error instanceof LandfallError) return { state: 'not-served', error };
    throw error;
  }
}

async function checkFile(http: HttpClient, target: ReleaseUrl) {
  const response = await openServed(http, target);
  const reader = new ByteReader(response.body);
  try {
    const head = await headOfServed(reader, target);
    expectRelease(head, target);
    const size = sizeOfServed(response);
    expectSize(size, head.size + sizeAfterHead(target.pinned.release.files), target);
    return { size, isResumable: response.status === 206 };
  } finally {
    await reader.close();
    await response.discard();
  }
}

function expectRelease({ members }: BundleHead, { name, pinned, url }: ReleaseUrl): void {
  const manifest = members.get(manifestName);
  if (manifest && sha256Hex(manifest) === pinned.manifestSha256) return;
  throw new LandfallError('USER_DATA_URL', `${safeUrl(url)} serves another release`, {
    hint: `Upload ${name} of this release again, and clear the cache of the web server.`,
  });
}

/**
 * Checks that every URL serves its bundle.
 * @throws LandfallError USER_DATA_URL naming every URL that does not
 */
export function expectServed(checks: readonly UrlCheck[]): void {
  const failed = checks.filter((check) => check.state === 'not-served');
  if (failed.length === 0) return;
  const message = `${failed.length} of ${checks.length} URLs do not serve the release`;
  throw new LandfallError('USER_DATA_URL', message, {
    hint: 'Upload the files as listed, then run the command again.',
    problems: [
      ...new Map(
        failed.map(({ error: { message, hint } }) => [message, { message, hint }]),
      ).values(),
    ],
    retriable: failed.every(({ error }) => error.retriable),
  });
}

/**
 * Requests every part of a bundle, and compares the sizes and the head with the release. Reads no more
 * than the head.
 * @param partSize bytes of each part except the last
 * @param expectRelease compares the head
 * @throws LandfallError USER_DATA_URL, NETWORK_…
 */
async function checkParts(
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

/** A file that must be reachable at a URL. */
interface ServedFile {
  /** The file to upload. */
  readonly name: string;
  readonly url: URL;
}

/**
 * Requests a file from its start, with a range as a resumed download does.
 * @throws LandfallError USER_DATA_URL for another status; NETWORK_…
 */
async function openServed(http: HttpClient, file: ServedFile): Promise<HttpResponse> {
  const response = await http.send({ url: file.url, headers: { range: 'bytes=0-' } });
  if (bodyStart(response, 0, null) === 0) return response;
  await response.discard();
  throw refusedRequest(response.status, file);
}

function refusedRequest(status: number, { name, url }: ServedFile): LandfallError {
  return new LandfallError('USER_DATA_URL', `${safeUrl(url)} responded with status ${status}`, {
    hint:
      status === 401 || status === 403
        ? 'Make the file readable without a login.'
        : `Upload ${name} to this URL.`,
    retriable: status >= 500,
  });
}

/** Returns the size of a whole file in bytes; undefined if the server does not send it. */
function sizeOfServed(response: HttpResponse): number | undefined {
  if (response.status === 200) return bodyLength(response);
  const [, total] = /\/(\d{1,15})$/.exec(response.header('content-range')?.trim() ?? '') ?? [];
  return total === undefined ? undefined : Number(total);
}

/** Compares a size in bytes. @throws LandfallError USER_DATA_URL */
function expectSize(size: number | undefined, expected: number, { name, url }: ServedFile): void {
  if (size === undefined || size === expected) return;
  const message = `${safeUrl(url)} has ${size} bytes instead of ${expected}`;
  throw new LandfallError('USER_DATA_URL', message, {
    hint: `Upload ${name} (${formatBytes(expected)}) again; the upload may have been interrupted.`,
  });
}

/** Reads the head of a bundle. @throws LandfallError USER_DATA_URL for other content; NETWORK_… */
async function headOfServed(reader: ByteReader, { url }: ServedFile): Promise<BundleHead> {
  try {
    return await readHead(reader);
  } catch (error) {
    if (!(error instanceof LandfallError) || rowOfCode(error.code).family !== 'refused')
      throw error;
    const message = `${safeUrl(url)} does not serve a bundle: ${error.message}`;
    throw new LandfallError('USER_DATA_URL', message, {
      hint: 'Check that the URL opens the file itself, not a web page.',
    });
  }
}
