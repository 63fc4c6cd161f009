import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type PublicKey, readPublicKey } from '#contract/trust/keys.ts';

/** A key pair of a valid or a malicious signer. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly public: PublicKey;
}

export function makeKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  return { privateKey, public: readPublicKey(pem) };
}

/** Two release keys, an offline recovery key, and an unknown key. */
export const releaseKey = makeKeyPair();
export const secondKey = makeKeyPair();
export const recoveryKey = makeKeyPair();
export const strangerKey = makeKeyPair();

/** ECDSA P-256 over SHA-256 in DER. */
export function signDer(bytes: Uint8Array, { privateKey }: KeyPair): Buffer {
  return sign('sha256', bytes, { key: privateKey, dsaEncoding: 'der' });
}

/** The same in the other common encoding, r and s without DER (IEEE P1363). */
export function signP1363(bytes: Uint8Array, { privateKey }: KeyPair): Buffer {
  return sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

/** Signs until the DER form has this length: about one signature in four has the maximum, 72. */
export function signDerOfLength(bytes: Uint8Array, pair: KeyPair, length: number): Buffer {
  for (;;) {
    const signature = signDer(bytes, pair);
    if (signature.length === length) return signature;
  }
}

/** The order of the group of P-256, in hex digits. */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** The s of a DER signature: the second INTEGER, after r. */
function scalarOf(signature: Buffer): bigint {
  const start = 4 + signature.readUInt8(3) + 2;
  return BigInt(`0x${signature.toString('hex', start)}`);
}

/** Returns whether a DER signature has the lower of its two possible s values. */
export function hasLowS(signature: Buffer): boolean {
  return scalarOf(signature) <= order / 2n;
}

/** The other form of a signature, which needs no key: s becomes order - s. */
export function otherForm(signature: Buffer): Buffer {
  const r = signature.subarray(2, 4 + signature.readUInt8(3));
  const hex = (order - scalarOf(signature)).toString(16);
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`;
  const s = Buffer.from(/^[89a-f]/.test(digits) ? `00${digits}` : digits, 'hex');
  return Buffer.concat([Buffer.of(0x30, r.length + 2 + s.length), r, Buffer.of(2, s.length), s]);
}
