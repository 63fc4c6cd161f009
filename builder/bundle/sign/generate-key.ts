import { generateKeyPairSync } from 'node:crypto';
import { type PublicKey, readPublicKey } from '#contract/trust/keys.ts';

export interface GeneratedKey {
  /** PKCS#8 in PEM, encrypted if a passphrase is set. */
  readonly privatePem: string;
  readonly publicPem: string;
  readonly public: PublicKey;
}

/** Generates an ECDSA P-256 key pair (DESIGN, decision 3). Encrypts it if a passphrase is given. */
export function generateKey(passphrase: string | undefined): GeneratedKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicPem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const privatePem = privateKey
    .export({
      format: 'pem',
      type: 'pkcs8',
      ...(passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase }),
    })
    .toString();
  return { privatePem, publicPem, public: readPublicKey(publicPem) };
}
