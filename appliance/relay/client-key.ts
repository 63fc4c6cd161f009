import type { KeyLimits } from './config.ts';

/** Somebody who may use the relay. */
export interface ClientKey {
  readonly name: string;
  /** SHA-256 of the key, 32 bytes. */
  readonly sha256: Uint8Array;
  /** Nothing: every provider. */
  readonly providers: ReadonlySet<string> | undefined;
  readonly limits: KeyLimits;
}
