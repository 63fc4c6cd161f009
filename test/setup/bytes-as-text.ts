/**
 * `toString()` of a Uint8Array gives a list of numbers, and of a Buffer text: code that gets the one
 * instead of the other stays silent. In tests it fails.
 */
Object.defineProperty(Uint8Array.prototype, 'toString', {
  configurable: true,
  writable: true,
  value(): never {
    throw new Error('toString() of a Uint8Array gives numbers: use decodeUtf8()');
  },
});
