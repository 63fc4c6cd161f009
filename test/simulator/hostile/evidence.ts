import { encodeCanonicalJson } from '#contract/text/json.ts';
import { sigstoreBundle } from '#contract/trust/sigstore.ts';
import { replace } from '../arrange.ts';
import { attestation, type Knobs, makeBundle, statementAbout } from '../bundle.ts';
import { breaking } from '../hostile-bundle.ts';
import { type KeyPair, releaseKey, secondKey, signDer, strangerKey } from '../keys.ts';

type Json = { [key: string]: Json } | Json[] | string | number | null;

const edited = (name: string, edit: (content: Buffer) => Buffer) => () =>
  makeBundle({
    arrange: replace(name, (member) => ({ ...member, content: edit(member.content) })),
  });
const sigstore = (edit: (content: Buffer) => Buffer) => edited('release.sigstore.json', edit);
const provenance = (edit: (content: Buffer) => Buffer) => edited('provenance.sigstore.json', edit);
const sums = (edit: (text: string) => string) =>
  edited('SHA256SUMS', (content) => Buffer.from(edit(content.toString())));
const json = (edit: (value: Record<string, Json>) => Json) => (content: Buffer) =>
  Buffer.from(encodeCanonicalJson(edit(JSON.parse(content.toString()))));
const about = (statement: NonNullable<Knobs['statement']>) => () => makeBundle({ statement });

const attested = (by: KeyPair, named: KeyPair) => () =>
  makeBundle({ attest: (payload) => attestation(payload, by, named) });

/** A payload that is an array-like object of this length made a lenient decoder allocate it. */
const hugeLength: Json = { length: 2 ** 32 };
const envelope = (payload: Json, signatures: Json) =>
  provenance(json((value) => ({ ...value, dsseEnvelope: { payload, signatures } })));

/** Evidence that contradicts the manifest. */
export const evidenceAttacks = [
  ...breaking('BUNDLE_SIGNATURE', 'same-sigstore', {
    'a Sigstore bundle with another signature by the same key': () =>
      makeBundle({
        sigstore: (manifest) =>
          Buffer.from(sigstoreBundle(manifest, signDer(manifest, releaseKey), releaseKey.public)),
      }),
    'a Sigstore bundle with the hint of another key': sigstore(
      json((value) => ({
        ...value,
        verificationMaterial: { publicKey: { hint: Buffer.alloc(32).toString('base64') } },
      })),
    ),
    'a Sigstore bundle with another digest': sigstore((content) =>
      Buffer.from(content.toString().replace(/"digest": "./, '"digest": "?')),
    ),
    "legacy fields with an attacker's key beside the real ones (GHSA-fx35-mq7g-6g98)": sigstore(
      json((value) => ({
        ...value,
        base64Signature: 'AAAA',
        cert: Buffer.from(strangerKey.public.spki).toString('base64'),
      })),
    ),
    'a legacy bundle instead': sigstore(() =>
      Buffer.from(encodeCanonicalJson({ base64Signature: 'AAAA', cert: 'AAAA' })),
    ),
    'a Sigstore bundle of another version': sigstore((content) =>
      Buffer.from(content.toString().replace('bundle.v0.3+json', 'bundle.v0.2+json')),
    ),
    'a Sigstore bundle on one line': sigstore((content) =>
      Buffer.from(JSON.stringify(JSON.parse(content.toString()))),
    ),
    'an empty Sigstore bundle': sigstore(() => Buffer.alloc(0)),
  }),
  ...breaking('BUNDLE_SIGNATURE', 'same-provenance', {
    'a provenance by an unknown key': attested(strangerKey, strangerKey),
    'a provenance by an unknown key with the hint of the signer': attested(strangerKey, releaseKey),
    'a provenance by another trusted key': attested(secondKey, secondKey),
    'a provenance of another release': about(() => statementAbout(Buffer.from('another'))),
    'a provenance with a second subject': about((statement) => ({
      ...statement,
      subject: [...subjectOf(statement), { name: 'foreign', digest: { sha256: '0'.repeat(64) } }],
    })),
    'a provenance without a subject': about((statement) => ({ ...statement, subject: [] })),
    'a provenance with a subject of another name': about((statement) => ({
      ...statement,
      subject: subjectOf(statement).map((subject) => ({ ...subject, name: 'release.json.bak' })),
    })),
    'a provenance of another kind': about((statement) => ({
      ...statement,
      predicateType: 'https://example.com/opinion',
    })),
    'a provenance that is not a statement': about(() => null),
    'a provenance in another base64 alphabet': provenance((content) =>
      Buffer.from(content.toString().replace(/("payload": "[^"]*?)=*"/, '$1===="')),
    ),
    'a provenance with two signatures': provenance(
      json((value) => {
        const { dsseEnvelope: honest } = value as { dsseEnvelope: { signatures: Json[] } };
        const signatures = [...honest.signatures, ...honest.signatures];
        return { ...value, dsseEnvelope: { ...honest, signatures } };
      }),
    ),
    'a provenance with an unknown field': provenance(json((value) => ({ ...value, extra: 1 }))),
    'a provenance that is not JSON': provenance(() => Buffer.from('provenance\n')),
    'a provenance that is null': provenance(() => Buffer.from('null\n')),
    'an empty provenance': provenance(() => Buffer.alloc(0)),
    'a payload that would allocate 4 GB': envelope(hugeLength, [{ sig: 'AAAA' }]),
    'a signature that would allocate 4 GB': envelope('AAAA', [{ sig: hugeLength }]),
    'a provenance of a million brackets': provenance(() => Buffer.alloc(1024 * 1024, '[')),
  }),
  ...breaking('BUNDLE_CHECKSUMS', 'checksums', {
    'a SHA256SUMS with another digest': sums((text) => text.replace(/^./, (digit) => flip(digit))),
    'a SHA256SUMS without its last line': sums((text) => text.replace(/[^\n]*\n$/, '')),
    'a SHA256SUMS with an extra line': sums((text) => `${text}${'0'.repeat(64)}  extra\n`),
    'a SHA256SUMS with a path outside of its folder': sums((text) =>
      text.replace('  bin/', '  ../'),
    ),
    'a SHA256SUMS in binary mode': sums((text) => text.replaceAll('  ', ' *')),
    'a SHA256SUMS with carriage returns': sums((text) => text.replaceAll('\n', '\r\n')),
    'an empty SHA256SUMS': sums(() => ''),
  }),
];

function flip(digit: string): string {
  return digit === '0' ? '1' : '0';
}

function subjectOf(statement: object): object[] {
  return 'subject' in statement && Array.isArray(statement.subject) ? statement.subject : [];
}
