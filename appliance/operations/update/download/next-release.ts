import type { Site } from '#contract/site/site.ts';
import { urlsOnMirrors } from '../mirror.ts';
import type { UpdateState } from '../state.ts';

/** A release to install: a channel offers it, or the administrator names its bundle. */
export interface NextRelease {
  readonly version: string;
  /** SHA-256 of its release.json, 64 hex digits. */
  readonly manifest: string;
  /** Components whose image is another one; null if unknown. */
  readonly components: readonly string[] | null;
  /** Bytes that it takes on the disk at most; null if unknown. */
  readonly disk: number | null;
  readonly bundle: BundleLocation;
}

/** Where a bundle is: on web servers, or in a file on this server. */
export type BundleLocation =
  | {
      readonly urls: readonly URL[];
      /** Size of the parts of the bundle in bytes; null: one file. */
      readonly part: number | null;
    }
  | {
      /** Absolute path of the bundle or of its first part. */
      readonly file: string;
    };

/** A bundle of which only some ranges are read. */
export interface BundleSource {
  /** For messages. */
  readonly name: string;
  /** Yields the bundle from its start, for the head. */
  head(): AsyncIterable<Uint8Array>;
  /**
   * Yields a range of the bundle. A chunk may change when the next one is requested.
   * @param size bytes
   * @param until offset after the last byte that is read next in order: one request has all of them
   */
  read(from: number, size: number, until: number): AsyncIterable<Uint8Array>;
  /** Ends what is open. The source can be read again. */
  close(): Promise<void>;
}

type Offer = Extract<NonNullable<UpdateState['offer']>, { kind: 'update' }>;

/** Returns the release that the channels of a site offer. */
export function offeredRelease(
  site: Pick<Site, 'updates'>,
  { version, manifest, changes, urls, part }: Offer,
): NextRelease {
  const bundle = { urls: urlsOnMirrors(site, urls), part };
  const { components = null, disk = null } = changes ?? {};
  return { version, manifest, components, disk, bundle };
}
