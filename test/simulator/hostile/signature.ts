import { constants, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { preAuthEncoding } from '#contract/trust/provenance.ts';
import { type Knobs, makeBundle, statementAbout } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';
import { recoveryKey, signDer, signDerOfLength, signP1363, strangerKey } from '../keys.ts';

type Sign = NonNullable<Knobs['sign']>;

const signed = (sign: Sign) => () => makeBundle({ sign });
const integer = (hex: string) => `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
const der = (r: string, s: string) => {
  const body = integer(r) + integer(s);
  return Buffer.from(`30${(body.length / 2).toString(16).padStart(2, '0')}${body}`, 'hex');
};

/** Signs until r and s both fit into 32 bytes without a leading zero; in hex digits. */
function smallIntegers(...[manifest, signer]: Parameters<Sign>): [r: string, s: string] {
  for (;;) {
    const raw = signP1363(manifest, signer);
    if (raw.readInt8(0) > 0 && raw.readInt8(32) > 0) {
      return [raw.toString('hex', 0, 32), raw.toString('hex', 32)];
    }
  }
}

/** Changes the manifest after signing. */
const rewritten = (edit: (manifest: string) => string) => () =>
  makeBundle({
    arrange: ([manifest, ...head], files) => [
      { name: 'release.json', content: Buffer.from(edit(String(manifest?.content))) },
      ...head,
      ...files,
    ],
  });

/** The order of P-256: some verifiers accepted r or s equal to 0 or to the order. */
const order = '00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';

/** Signatures that are invalid, by another key, or over other bytes. */
export const signatureAttacks = [
  ...breaking('BUNDLE_SIGNATURE', 'short-signature', {
    'an empty signature': signed(() => Buffer.alloc(0)),
  }),
  ...breaking('BUNDLE_UNTRUSTED', 'trusted', {
    'signed by an unknown key': () => makeBundle({ signer: strangerKey }),
    'signed by an unknown key that the manifest declares trusted': () =>
      makeBundle({
        signer: strangerKey,
        release: (release) => ({
          ...release,
          keys: { release: [strangerKey.public.spki], recovery: null },
        }),
      }),
    'signed by the recovery key without a trusted one': {
      bundle: () => makeBundle({ signer: recoveryKey }),
      policy: { keys: { release: [strangerKey.public], recovery: undefined } },
    },
    'verified without trusted keys': {
      bundle: () => makeBundle(),
      policy: { keys: { release: [], recovery: undefined } },
    },
    'the signature of another release': signed((manifest, signer) =>
      signDer(Buffer.from(manifest.toString().replace('1.2.0', '1.2.1')), signer),
    ),
    'one bit of the signature flipped': signed((manifest, signer) => {
      const signature = signDer(manifest, signer);
      signature.writeUInt8(signature.readUInt8(40) ^ 1, 40);
      return signature;
    }),
    'a line break after a signature of 71 bytes': signed((manifest, signer) =>
      Buffer.concat([signDerOfLength(manifest, signer, 71), Buffer.from('\n')]),
    ),
    'the last byte of the signature missing': signed((manifest, signer) =>
      signDer(manifest, signer).subarray(0, -1),
    ),
    'a signature in P1363 form': signed(signP1363),
    'a signature in base64': signed((manifest, signer) =>
      Buffer.from(signDer(manifest, signer).toString('base64').slice(0, 72)),
    ),
    'r and s are 0': signed(() => der('00', '00')),
    'r and s are 1': signed(() => der('01', '01')),
    'r and s are the order of the curve': signed(() => der(order, order)),
    'r and s are negative': signed(() => der('ff', 'ff')),
    'a length in long form (BER)': signed((manifest, signer) => {
      const signature = signDerOfLength(manifest, signer, 70);
      return Buffer.concat([Buffer.from('3081', 'hex'), signature.subarray(1)]);
    }),
    'an extra zero before r (BER)': signed((manifest, signer) => {
      const [r, s] = smallIntegers(manifest, signer);
      return der(`00${r}`, s);
    }),
    'a signature over SHA-512': signed((manifest, { privateKey }) =>
      signWith('sha512', manifest, privateKey),
    ),
    'an Ed25519 signature': signed((manifest) =>
      signWith(null, manifest, generateKeyPairSync('ed25519').privateKey),
    ),
    'the beginning of an RSA signature': signed((manifest) =>
      signWith('sha256', manifest, {
        key: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
        padding: constants.RSA_PKCS1_PADDING,
      }).subarray(0, 72),
    ),
    'the manifest changed after signing': () =>
      makeBundle({
        arrange: ([manifest, ...head], files) => [
          {
            name: 'release.json',
            content: Buffer.from(String(manifest?.content).replace('qwen3:8b', 'qwen3:9b')),
          },
          ...head,
          ...files,
        ],
      }),
    'a bootstrap file replaced after signing': rewritten((manifest) => {
      const [file] = manifest.match(/"unpack.py",\s+"sha256": "\w+"/) ?? [];
      return manifest.replace(file ?? '', (file ?? '').replace(/\w{64}/, '0'.repeat(64)));
    }),
    'the bootstrap removed after signing': rewritten((manifest) => {
      const { bootstrap, ...rest } = JSON.parse(manifest);
      return decodeUtf8(encodeCanonicalJson(rest));
    }),
    'a line break after the manifest': () =>
      makeBundle({
        arrange: ([manifest, ...head], files) => [
          {
            name: 'release.json',
            content: Buffer.concat([manifest?.content ?? Buffer.alloc(0), Buffer.from('\n')]),
          },
          ...head,
          ...files,
        ],
      }),
  }),
  ...breaking('BUNDLE_MANIFEST', 'canonical-manifest', {
    'a signed provenance instead of a manifest': () =>
      makeBundle({
        manifest: (bytes) =>
          Buffer.from(preAuthEncoding(Buffer.from(JSON.stringify(statementAbout(bytes))))),
      }),
  }),
];
