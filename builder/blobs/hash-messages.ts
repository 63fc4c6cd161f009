/** A request to a hashing thread. The requests of one job are processed in order. */
export type HashRequest =
  | {
      readonly kind: 'chunk';
      readonly job: number;
      /** Transferred to the thread and back, so that a job reuses two buffers. */
      readonly buffer: ArrayBuffer;
      /** Number of valid bytes in the buffer. */
      readonly length: number;
      /** Where to write the bytes; absent when they were read from the file itself. */
      readonly target: ChunkTarget | undefined;
    }
  /** Requests the digest of all chunks so far and ends the job. */
  | { readonly kind: 'digest'; readonly job: number }
  /** Ends the job. The only request without a reply. */
  | { readonly kind: 'forget'; readonly job: number };

export interface ChunkTarget {
  readonly fd: number;
  readonly position: number;
}

/** The reply to one request: the buffer to reuse, the digest, or the failure. */
export interface HashReply {
  readonly job: number;
  readonly buffer?: ArrayBuffer | undefined;
  readonly hex?: string | undefined;
  /** A file system error in a form that can be cloned between threads. */
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
}
