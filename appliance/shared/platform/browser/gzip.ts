/** Not available: browsers compress asynchronously only, and a page shows text to paste. */
export const gzip: ((bytes: Uint8Array) => Uint8Array) | undefined = undefined;

/** Not available either: a page decompresses with DecompressionStream before it calls shared code. */
export const gunzip: ((bytes: Uint8Array, max: number) => Uint8Array | undefined) | undefined =
  undefined;
