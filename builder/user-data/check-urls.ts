import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
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
  const { url } = target;
  try {
    const response = await http.request({ url, headers: { range: 'bytes=0-' } });
    return { state: 'served', ...(await checkResponse(response, target)) };
  } catch (error) {
    if (error instanceof LandfallError) return { state: 'not-served', error };
    throw error;
  }
}

async function checkResponse(response: HttpResponse, target: ReleaseUrl) {
  if (bodyStart(response, 0, null) !== 0) {
    await response.discard();
    throw refusedRequest(response.status, target);
  }
  const reader = new ByteReader(response.body);
  try {
    const head = await headOf(reader, target);
    expectRelease(head, target);
    const size = sizeOf(response);
    expectSize(size, head.size + sizeAfterHead(target.pinned.release.files), target);
    return { size, isResumable: response.status === 206 };
  } finally {
    await reader.close();
    await response.discard();
  }
}

function refusedRequest(status: number, { name, url }: ReleaseUrl): LandfallError {
  return new LandfallError('USER_DATA_URL', `${safeUrl(url)} responded with status ${status}`, {
    hint:
      status === 401 || status === 403
        ? 'Make the file readable without a login.'
        : `Upload ${name} to this URL.`,
    retriable: status >= 500,
  });
}

/** Reads the head of a bundle. @throws LandfallError USER_DATA_URL for other content; NETWORK_… */
async function headOf(reader: ByteReader, { url }: ReleaseUrl): Promise<BundleHead> {
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

function sizeOf(response: HttpResponse): number | undefined {
  if (response.status === 200) return bodyLength(response);
  const [, total] = /\/(\d{1,15})$/.exec(response.header('content-range')?.trim() ?? '') ?? [];
  return total === undefined ? undefined : Number(total);
}

function expectRelease({ members }: BundleHead, { name, pinned, url }: ReleaseUrl): void {
  const manifest = members.get(manifestName);
  if (manifest && sha256Hex(manifest) === pinned.manifestSha256) return;
  throw new LandfallError('USER_DATA_URL', `${safeUrl(url)} serves another release`, {
    hint: `Upload ${name} of this release again, and clear the cache of the web server.`,
  });
}

function expectSize(size: number | undefined, expected: number, { name, url }: ReleaseUrl): void {
  if (size === undefined || size === expected) return;
  const message = `${safeUrl(url)} has ${size} bytes instead of ${expected}`;
  throw new LandfallError('USER_DATA_URL', message, {
    hint: `Upload ${name} (${formatBytes(expected)}) again; the upload may have been interrupted.`,
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
