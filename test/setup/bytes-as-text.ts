import { registerCleanup } from './cleanup.ts';

registerCleanup();

/**
 * Makes `toString()` of a Uint8Array throw in tests. It returns a list of numbers, but text for a
 * Buffer, so code that receives the wrong type would fail silently.
 */
Object.defineProperty(Uint8Array.prototype, 'toString', {
  configurable: true,
  writable: true,
  value(): never {
    throw new Error('toString() of a Uint8Array returns numbers; use decodeUtf8()');
  },
});
