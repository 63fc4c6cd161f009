import type { Site } from '#contract/site/site.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { type PinnedRelease, serverKeys } from '../../bundle/released/pinned-release.ts';
import { type Explanation, explainPaste } from '../../deliver/explain/explain-paste.ts';
import { maxPasteBytes } from '../../deliver/explain/read-paste.ts';
import type { Format } from '../../deliver/user-data/providers.ts';
import { refuseMissingComponents } from '../../deliver/user-data/refuse-missing-components.ts';
import { type RenderedUserData, renderUserData } from '../../deliver/user-data/render.ts';
import { attempt, type Outcome } from './outcome.ts';
import type { VerifiedRelease } from './release.ts';

/** What the user chose besides the release. */
export interface Choices {
  /** The text of site.yaml. */
  readonly site: string;
  /** Short name of the provider; undefined: the paste must fit all. */
  readonly provider: string | undefined;
  readonly format: Format | undefined;
  /** Whether the user consented to a proxy password in the user-data. */
  readonly allowsRoutePassword: boolean;
  /** Of the server, in GB; it changes what the page says, not the result. */
  readonly memory: number | undefined;
}

/** Renders the user-data of a verified release for a valid site. */
export function pasteOf(
  { releases }: VerifiedRelease,
  site: Site,
  { provider, format }: Choices,
): Outcome<RenderedUserData> {
  return attempt(() => {
    refuseMissingComponents(site, releases);
    return renderUserData({ site, releases, keys: serverKeys(releases), provider, format });
  });
}

/** Explains user-data as `landfall explain` does. In a page, gzip is decompressed before. */
export function explanationOf(
  bytes: Uint8Array,
  releases: readonly PinnedRelease[],
): Outcome<Explanation> {
  return attempt(() => explainPaste(bytes, { file: 'user-data', releases }));
}

/** Returns user-data without the compression of gzip. Bytes that only begin like gzip stay as they are. */
export async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([new Uint8Array(bytes)])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'));
  return await readAtMost(stream, maxPasteBytes + 1).catch(() => bytes);
}
