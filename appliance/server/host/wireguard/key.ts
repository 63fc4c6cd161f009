import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** Makes a private key. */
export function makeKey(): string {
  const { privateKey } = generateKeyPairSync('x25519');
  return toBase64(privateKey.export({ format: 'jwk' }).d);
}

/** The start of a private key in PKCS #8, before its 32 bytes (RFC 8410, 7). */
const pkcs8 = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Returns the public key of a private one. */
export function publicKeyOf(key: string): string {
  const der = Buffer.concat([pkcs8, Buffer.from(key, 'base64')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return toBase64(createPublicKey(privateKey).export({ format: 'jwk' }).x);
}

function toBase64(text: string | undefined): string {
  return Buffer.from(text ?? '', 'base64url').toString('base64');
}
