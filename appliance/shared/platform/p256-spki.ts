const pointBytes = 65;

/**
 * The DER SubjectPublicKeyInfo of a P-256 key before the coordinates of its point (RFC 5480,
 * section 2).
 */
const prefix = [
  ...[0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01],
  ...[0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04],
];

/**
 * Returns the point of a DER SubjectPublicKeyInfo with a named curve and both coordinates, the only
 * form that releases use. Undefined for any other form. Does not check that it is on the curve.
 */
export function pointOf(publicKey: Uint8Array): Uint8Array | undefined {
  if (publicKey.length !== prefix.length - 1 + pointBytes) return undefined;
  if (prefix.some((byte, index) => publicKey[index] !== byte)) return undefined;
  return publicKey.subarray(-pointBytes);
}
