/** Browsers compress asynchronously only, and a page shows text to paste, which gzip is not. */
export const gzip: ((bytes: Uint8Array) => Uint8Array) | undefined = undefined;
