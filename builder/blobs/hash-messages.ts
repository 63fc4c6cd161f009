/** What a hashing thread is asked to do. The orders of one job are worked off in their sequence. */
export type HashOrder =
  | {
      readonly kind: 'piece';
      readonly job: number;
      /** Moved there and back, so that a job lives on the same two buffers. */
      readonly buffer: ArrayBuffer;
      /** Bytes of the buffer that count. */
      readonly length: number;
      /** Where the piece is written to; absent when it was read from the file itself. */
      readonly target: PieceTarget | undefined;
    }
  /** Asks for the digest of all pieces so far, which ends the job. */
  | { readonly kind: 'digest'; readonly job: number }
  /** Ends the job; the only order without a reply. */
  | { readonly kind: 'forget'; readonly job: number };

export interface PieceTarget {
  readonly fd: number;
  readonly position: number;
}

/** One for each order: the buffer to be used again, the digest, or what went wrong. */
export interface HashReply {
  readonly job: number;
  readonly buffer?: ArrayBuffer | undefined;
  readonly hex?: string | undefined;
  /** An error of the file system in a form that survives the way between threads. */
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
}
