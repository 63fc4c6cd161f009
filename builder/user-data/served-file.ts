import type { ByteReader } from '#contract/bundle/byte-reader.ts';
import { type BundleHead, readHead } from '#contract/bundle/read-head.ts';
import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import type { HttpClient, HttpResponse } from '#http/client.ts';
import { bodyLength, bodyStart } from '#http/resume.ts';
import { safeUrl } from '#http/safe-url.ts';

/** A file that must be reachable at a URL. */
export interface ServedFile {
  /** The file to upload. */
  readonly name: string;
  readonly url: URL;
}

/**
 * Requests a file from its start, with a range as a resumed download does.
 * @throws LandfallError USER_DATA_URL for another status; NETWORK_…
 */
export async function openServed(http: HttpClient, file: ServedFile): Promise<HttpResponse> {
  const response = await http.request({ url: file.url, headers: { range: 'bytes=0-' } });
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
export function sizeOfServed(response: HttpResponse): number | undefined {
  if (response.status === 200) return bodyLength(response);
  const [, total] = /\/(\d{1,15})$/.exec(response.header('content-range')?.trim() ?? '') ?? [];
  return total === undefined ? undefined : Number(total);
}

/** Compares a size in bytes. @throws LandfallError USER_DATA_URL */
export function expectSize(
  size: number | undefined,
  expected: number,
  { name, url }: ServedFile,
): void {
  if (size === undefined || size === expected) return;
  const message = `${safeUrl(url)} has ${size} bytes instead of ${expected}`;
  throw new LandfallError('USER_DATA_URL', message, {
    hint: `Upload ${name} (${formatBytes(expected)}) again; the upload may have been interrupted.`,
  });
}

/** Reads the head of a bundle. @throws LandfallError USER_DATA_URL for other content; NETWORK_… */
export async function headOfServed(reader: ByteReader, { url }: ServedFile): Promise<BundleHead> {
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
