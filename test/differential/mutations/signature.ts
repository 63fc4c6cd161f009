import {
  otherForm,
  recoveryKey,
  secondKey,
  signDer,
  signP1363,
  strangerKey,
} from '../../simulator/keys.ts';
import type { Mutations } from '../draft.ts';

/** Replacements of the signature. */
export const signatureMutations: Mutations = {
  'signed by the second key': (draft) => {
    draft.signer = secondKey;
  },
  'signed by the recovery key': (draft) => {
    draft.signer = recoveryKey;
  },
  'signed by an unknown key': (draft) => {
    draft.signer = strangerKey;
  },
  'the other form of the signature': (draft) => {
    draft.sign = (manifest, signer) => otherForm(signDer(manifest, signer));
  },
  'a signature in P1363 form': (draft) => {
    draft.sign = signP1363;
  },
  'a signature of other bytes': (draft) => {
    draft.sign = (_, signer) => signDer(Buffer.from('other\n'), signer);
  },
  'a flipped bit in the signature': (draft, random) => {
    const [turn, bit] = [random.below(2 ** 30), random.below(8)];
    draft.sign = (manifest, signer) => {
      const signature = signDer(manifest, signer);
      const place = turn % signature.length;
      signature[place] = (signature[place] ?? 0) ^ (1 << bit);
      return signature;
    };
  },
  'bytes after the signature': (draft, random) => {
    const tail = random.bytes(1 + random.below(3));
    draft.sign = (manifest, signer) => Buffer.concat([signDer(manifest, signer), tail]);
  },
  'a truncated signature': (draft, random) => {
    const size = random.below(71);
    draft.sign = (manifest, signer) => signDer(manifest, signer).subarray(0, size);
  },
  'a signature with a long-form length (BER)': (draft, random) => {
    const places = random.pick([[0], [2], [0, 2]]);
    draft.sign = (manifest, signer) => places.reduceRight(inLongForm, signDer(manifest, signer));
  },
  'a signature with an extra zero': (draft) => {
    draft.sign = (manifest, signer) => {
      const [, size = 0, ...rest] = signDer(manifest, signer);
      const [tag = 0, length = 0, ...numbers] = rest;
      return Buffer.from([0x30, size + 1, tag, length + 1, 0, ...numbers]);
    };
  },
  'random bytes as a signature': (draft, random) => {
    const bytes = random.bytes(random.below(74));
    draft.sign = () => bytes;
  },
};

/** A two-byte length where DER requires one byte. */
function inLongForm(der: Buffer, tag: number): Buffer {
  return Buffer.concat([der.subarray(0, tag + 1), Buffer.of(0x81), der.subarray(tag + 1)]);
}
