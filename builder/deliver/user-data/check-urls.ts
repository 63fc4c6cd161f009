import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { type BundleHead, readHead } from '#contract/bundle/read-head.ts';
import { partName } from '#contract/bundle/release-name.ts';
import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { HttpClient, type HttpResponse, type NetworkOptions } from '#http/client.ts';
import { bodyLength, bodyStart } from '#http/resume.ts';
import { safeUrl } from '#http/safe-url.ts';
import type { ReleaseUrl } from './boot-settings.ts';

/** The result of a request to a URL. */
export type UrlCheck = ReleaseUrl &
  (
    | ({ readonly state: 'served' } & Awaited<ReturnType<typeof checkFiles>>)
    | { readonly state: 'not-served'; readonly error: LandfallError }
  );

/** Checks URLs like {@link checkUrls}, over a network of its own. */
export async function checkUrlsOver(
  network: NetworkOptions,
  urls: readonly ReleaseUrl[],
): Promise<UrlCheck[]> {
  const http = new HttpClient(network);
  return await checkUrls(http, urls).finally(() => http.close());
}

/**
 * Requests every URL and compares its size and the head of the bundle with the release. Reads no more than
 * the head: the server verifies the rest when it downloads it.
 */
export function checkUrls(http: HttpClient, urls: readonly ReleaseUrl[]): Promise<UrlCheck[]> {
  return Promise.all(
    urls.map(async (target): Promise<UrlCheck> => {
      try {
        return { ...target, state: 'served', ...(await checkFiles(http, target)) };
      } catch (error) {
        if (error instanceof LandfallError) return { ...target, state: 'not-served', error };
        throw error;
      }
    }),
  );
}

/**
 * Requests the file of a bundle, or every part, and compares the sizes and the head with the release.
 * Returns the bytes, if the server sends all sizes, and whether interrupted downloads can be resumed.
 * @throws LandfallError USER_DATA_URL, NETWORK_…
 */
async function checkFiles(http: HttpClient, target: ReleaseUrl) {
  const { partSize, release } = target.pinned;
  const fileAt = (index: number) => (partSize === undefined ? target : partOf(target, index));
  const responses: HttpResponse[] = [];
  const reader = new ByteReader(contentOf(http, fileAt, responses));
  try {
    const head = await headOfServed(reader, fileAt(0));
    expectRelease(head, target);
    const expected = head.size + sizeAfterHead(release.files);
    const step = partSize ?? expected;
    let size: number | undefined = expected;
    let isResumable = true;
    for (let start = 0; start < expected; start += step) {
      const file = fileAt(start / step);
      const response = responses[start / step] ?? (await openServed(http, file));
      await response.discard();
      const served = sizeOfServed(response);
      expectSize(served, Math.min(step, expected - start), file);
      if (served === undefined) size = undefined;
      isResumable &&= response.status === 206;
    }
    return { size, isResumable };
  } finally {
    await reader.close();
  }
}

function expectRelease({ members }: BundleHead, { name, pinned, url }: ReleaseUrl): void {
  const manifest = members.get(manifestName);
  if (manifest && sha256Hex(manifest) === pinned.manifestSha256) return;
  throw new LandfallError('USER_DATA_URL', `${safeUrl(url)} serves another release`, {
    hint: {
      en: `Upload ${name} of this release again, and clear the cache of the web server.`,
      zh: `重新上传这个版本的 ${name}，并清除 Web 服务器的缓存。`,
    },
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
    hint: {
      en: 'Upload the files as listed, then run the command again.',
      zh: '按列表上传文件，再运行一次。',
    },
    problems: [
      ...new Map(
        failed.map(({ error: { message, hint } }) => [message, { message, hint }]),
      ).values(),
    ],
    retriable: failed.every(({ error }) => error.retriable),
  });
}

/**
 * Yields the files of a bundle one after the other. Requests a file only when it is read.
 * @param responses receives the responses, whose bodies it discards
 */
async function* contentOf(
  http: HttpClient,
  fileAt: (index: number) => ServedFile,
  responses: HttpResponse[],
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const response = await openServed(http, fileAt(responses.length));
    responses.push(response);
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
type ServedFile = Pick<ReleaseUrl, 'name' | 'url'>;

/**
 * Requests a file from its start, with a range as a resumed download does.
 * @throws LandfallError USER_DATA_URL for another status; NETWORK_…
 */
async function openServed(http: HttpClient, file: ServedFile): Promise<HttpResponse> {
  const response = await http.send({ url: file.url, headers: { range: 'bytes=0-' } });
  if (bodyStart(response, 0, null) === 0) return response;
  await response.discard();
  const { status } = response;
  const isDenied = status === 401 || status === 403;
  throw new LandfallError('USER_DATA_URL', `${safeUrl(file.url)} responded with status ${status}`, {
    hint: isDenied
      ? { en: 'Make the file readable without a login.', zh: '允许不登录就能读取这个文件。' }
      : { en: `Upload ${file.name} to this URL.`, zh: `把 ${file.name} 上传到这个地址。` },
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
    hint: {
      en: `Upload ${name} (${formatBytes(expected)}) again; the upload may have been interrupted.`,
      zh: `重新上传 ${name}（${formatBytes(expected)}）；上传可能中断过。`,
    },
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
      hint: {
        en: 'Check that the URL opens the file itself, not a web page.',
        zh: '检查这个地址打开的是文件本身，而不是网页。',
      },
    });
  }
}
