import type { Architecture } from '#contract/bundle/release-name.ts';

/** What the page of a release knows about it. A page of no release has none. */
export interface PageFacts {
  readonly product: string;
  readonly version: string;
  readonly architectures: readonly Architecture[];
  /** Every key that the release announces, as in `release.json`. */
  readonly keys: { readonly release: readonly string[]; readonly recovery: string | null };
  /** Its `release.json` files with their signatures, in base64 by name: a page in a file cannot load them. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Size of the parts of each bundle in parts, in bytes. */
  readonly partSizes?: Readonly<Partial<Record<Architecture, number>>> | undefined;
  /** Folders with the release, in the order that servers try. */
  readonly urls?: readonly string[] | undefined;
  /** Folders with the channel of the release. */
  readonly channels?: readonly string[] | undefined;
  /** Page on another site that shows the key id, for comparison. */
  readonly keyPage?: string | undefined;
}
