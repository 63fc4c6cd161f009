import type { KeyLimits } from './config.ts';

/** A client of the relay, identified by its key. */
export interface ClientKey {
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. */
  readonly sha256: Uint8Array;
  /** Providers that the client may use; undefined for all. */
  readonly providers: ReadonlySet<string> | undefined;
  readonly limits: KeyLimits;
}
