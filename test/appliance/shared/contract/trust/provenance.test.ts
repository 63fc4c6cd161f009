import { describe, expect, it } from 'vitest';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { isProvenanceOf, payloadType, preAuthEncoding } from '#contract/trust/provenance.ts';
import { attestation, statementAbout } from '../../../../simulator/bundle.ts';
import { releaseKey, secondKey, signDer } from '../../../../simulator/keys.ts';

const manifest = Buffer.from('{}\n');
const statement = Buffer.from(encodeCanonicalJson(statementAbout(manifest)));
const provenance = attestation(statement, releaseKey);

describe('the signed bytes of a DSSE envelope', () => {
  it('match the specification', () => {
    expect(Buffer.from(preAuthEncoding(Buffer.from('hello'))).toString()).toBe(
      `DSSEv1 28 ${payloadType} 5 hello`,
    );
  });

  it('contain the length in bytes, not in characters', () => {
    expect(Buffer.from(preAuthEncoding(Buffer.from('ä'))).toString()).toContain(' 2 ä');
  });
});

describe('a provenance', () => {
  it('accepts a provenance for its manifest and the key that signed it', () => {
    expect(isProvenanceOf(provenance, manifest, releaseKey.public)).toBe(true);
  });

  it('rejects a provenance for any other manifest or key', () => {
    expect(isProvenanceOf(provenance, Buffer.from('{ }\n'), releaseKey.public)).toBe(false);
    expect(isProvenanceOf(provenance, manifest, secondKey.public)).toBe(false);
  });

  it('writes a provenance as a Sigstore bundle with one DSSE envelope', () => {
    expect(JSON.parse(provenance.toString())).toEqual({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: { publicKey: { hint: expect.stringMatching(/^.{43}=$/) } },
      dsseEnvelope: {
        payload: statement.toString('base64'),
        payloadType: 'application/vnd.in-toto+json',
        signatures: [{ sig: expect.any(String) }],
      },
    });
  });

  it('cannot be replaced by the signature of a manifest', () => {
    const signature = signDer(manifest, releaseKey);
    const { dsseEnvelope, ...rest } = JSON.parse(provenance.toString());
    const mixed = { ...dsseEnvelope, signatures: [{ sig: signature.toString('base64') }] };
    const bytes = encodeCanonicalJson({ ...rest, dsseEnvelope: mixed });
    expect(isProvenanceOf(bytes, manifest, releaseKey.public)).toBe(false);
  });

  it('rejects a provenance with a length instead of a text, without allocating memory', () => {
    const before = process.memoryUsage().arrayBuffers;
    const { dsseEnvelope, ...rest } = JSON.parse(provenance.toString());
    for (const payload of [{ length: 2 ** 31 }, { type: 'Buffer', data: [1] }, 2 ** 31, null]) {
      const bytes = encodeCanonicalJson({ ...rest, dsseEnvelope: { ...dsseEnvelope, payload } });
      expect(isProvenanceOf(bytes, manifest, releaseKey.public)).toBe(false);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });
});
