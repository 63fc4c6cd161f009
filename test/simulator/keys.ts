import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type PublicKey, readPublicKey } from '#contract/keys.ts';

/** A key pair as an honest or a hostile signer holds it. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly public: PublicKey;
}

export function makeKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  return { privateKey, public: readPublicKey(pem) };
}

/** The cast: two keys that sign releases, one that lies in a safe, and one that nobody knows. */
export const releaseKey = makeKeyPair();
export const secondKey = makeKeyPair();
export const recoveryKey = makeKeyPair();
export const strangerKey = makeKeyPair();

/** ECDSA P-256 over SHA-256 in DER. */
export function signDer(bytes: Uint8Array, { privateKey }: KeyPair): Buffer {
  return sign('sha256', bytes, { key: privateKey, dsaEncoding: 'der' });
}

/** The same in the other usual encoding, r and s without any frame (IEEE P1363). */
export function signP1363(bytes: Uint8Array, { privateKey }: KeyPair): Buffer {
  return sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

/** Signs until the DER form has this length: about one signature in four has the longest, 72. */
export function signDerOfLength(bytes: Uint8Array, pair: KeyPair, length: number): Buffer {
  for (;;) {
    const signature = signDer(bytes, pair);
    if (signature.length === length) return signature;
  }
}
