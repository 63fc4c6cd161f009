import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import type { BundleHead } from '#contract/bundle/read-head.ts';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { HttpClient } from '#http/client.ts';
import { safeUrl } from '#http/safe-url.ts';
import { checkParts } from './check-parts.ts';
import type { ReleaseUrl } from './release-urls.ts';
import { expectSize, headOfServed, openServed, sizeOfServed } from './served-file.ts';

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
