/** Not available: browsers compress asynchronously only, and a page shows text to paste. */
export const gzip: ((bytes: Uint8Array) => Uint8Array) | undefined = undefined;
