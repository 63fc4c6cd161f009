import type { Release } from '#contract/bundle/release.ts';
import type { Signer } from '#contract/trust/trust.ts';
import type { Lock } from '../../lock/lock.ts';

/** A release to compare. */
export interface ReleaseSide extends AsyncDisposable {
  readonly type: 'bundle' | 'manifest';
  /** As the user wrote it. */
  readonly name: string;
  readonly release: Release;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
  /** Undefined if the signature was not verified. */
  readonly signer: Signer | undefined;
  /**
   * Reads a file of the release and compares it with its SHA-256 in `release.json`. Undefined if the
   * content is not available or larger than `maxBytes`.
   * @throws LandfallError BUNDLE_CONTENT, BUNDLE_TRUNCATED
   */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
}

/** A lock file to compare. */
export interface LockSide extends AsyncDisposable {
  readonly type: 'lock';
  readonly name: string;
  readonly lock: Lock;
}

export type Side = ReleaseSide | LockSide;

/** A pair of sides: what was, and what replaces it. */
export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}
