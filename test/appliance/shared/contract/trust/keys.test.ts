import { type createPublicKey, generateKeyPairSync } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatKeyId, isPublicKey, publicKeyPem, readPublicKey } from '#contract/trust/keys.ts';
import { sha256 } from '../../../../simulator/bundle.ts';
import { run } from '../../../../simulator/command.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const der = pair.publicKey.export({ format: 'der', type: 'spki' });
const privatePem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const spkiPem = (key: ReturnType<typeof createPublicKey>) =>
  key.export({ format: 'pem', type: 'spki' }).toString();

/** Returns a P-256 certificate, which users may confuse with a key. */
const certificate = () => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  return run('openssl', ['req', '-x509', ...key, '-keyout', '/dev/null', '-subj', '/CN=x']);
};

/** Returns the same public key with another encoding of its point or curve. */
const respelt = (...options: string[]) => run('openssl', ['ec', '-pubin', ...options], pem);

describe('a public key', () => {
  it('parses a public key from PEM', () => {
    const key = readPublicKey(pem);
    expect(key.id).toBe(sha256(der));
    expect(key.spki).toBe(der.toString('base64'));
    expect(Buffer.from(key.der)).toEqual(der);
  });

  it('parses a public key from base64 of its DER form', () => {
    expect(readPublicKey(der.toString('base64'))).toMatchObject({ id: sha256(der) });
  });

  it.each([
    ['carriage returns', pem.replaceAll('\n', '\r\n')],
    ['blank lines around it', `\n\n${pem}\n\n`],
    ['a byte order mark', `\ufeff${pem}`],
    ['no line break at the end', pem.trimEnd()],
  ])('parses a public key with %s, as some editors write it', (_, text) => {
    expect(readPublicKey(text).id).toBe(sha256(der));
  });

  it('formats a public key as PEM for openssl and cosign', () => {
    expect(publicKeyPem(readPublicKey(pem))).toBe(pem);
  });

  it('computes one ID for a public key with a compressed or uncompressed point', async () => {
    const compressed = await respelt('-conv_form', 'compressed');
    expect(compressed).not.toBe(pem);
    expect(readPublicKey(compressed)).toMatchObject({
      id: sha256(der),
      spki: der.toString('base64'),
    });
  });

  it('computes one ID for a public key with a named or explicit curve (CVE-2020-0601)', async () => {
    const explicit = await respelt('-param_enc', 'explicit');
    expect(explicit.length).toBeGreaterThan(pem.length);
    expect(readPublicKey(explicit)).toMatchObject({
      id: sha256(der),
      spki: der.toString('base64'),
    });
  });
});

describe('another encoding of a P-256 key', () => {
  const id = sha256(der);
  const explicit = async () =>
    Buffer.from(
      (await respelt('-param_enc', 'explicit')).replaceAll(/-----.*-----|\n/g, ''),
      'base64',
    );

  it.each([
    ['both compressed', ['-param_enc', 'explicit', '-conv_form', 'compressed']],
    ['the point in hybrid form', ['-conv_form', 'hybrid']],
    ['both in hybrid form', ['-param_enc', 'explicit', '-conv_form', 'hybrid']],
  ])('computes the same ID for another encoding of a P-256 key: %s', async (_, options) => {
    const text = await respelt(...options);
    expect(text).not.toBe(pem);
    expect(readPublicKey(text).id).toBe(id);
  });

  it('rejects a key as another curve if any parameter byte differs (CVE-2020-0601)', async () => {
    const bytes = await explicit();
    expect(readPublicKey(bytes.toString('base64')).id).toBe(id);
    const point = bytes.length - 65;
    for (let at = 0; at < point; at += 1) {
      const other = Buffer.from(bytes);
      other.writeUInt8(other.readUInt8(at) ^ 1, at);
      expect(() => readPublicKey(other.toString('base64'))).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^KEY_(?:KIND|FORMAT)$/) }),
      );
    }
  });

  // OpenSSL accepts these. Two programs must not parse one key differently.
  it.each([
    ['trailing data', Buffer.concat([der, Buffer.from('x')])],
    ['a length in two bytes', Buffer.concat([Buffer.of(0x30, 0x81, 0x59), der.subarray(2)])],
    [
      'unused bits in its bit string',
      Buffer.concat([der.subarray(0, 25), Buffer.of(1), der.subarray(26)]),
    ],
  ])('rejects another encoding of a P-256 key: %s', (_, bytes) => {
    expect(() => readPublicKey(bytes.toString('base64'))).toThrow(
      expect.objectContaining({ code: 'KEY_FORMAT' }),
    );
  });

  it('rejects a P-256 key with the point at infinity', () => {
    const infinity = '3019301306072a8648ce3d020106082a8648ce3d03010703020000';
    expect(() => readPublicKey(Buffer.from(infinity, 'hex').toString('base64'))).toThrow(
      expect.objectContaining({ code: 'KEY_FORMAT' }),
    );
  });
});

describe('a key of another type', () => {
  it.each([
    ['Ed25519', () => generateKeyPairSync('ed25519').publicKey, 'ed25519'],
    ['Ed448', () => generateKeyPairSync('ed448').publicKey, 'ed448'],
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey, 'rsa'],
    ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey, 'ec secp384r1'],
    ['P-521', () => generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey, 'ec secp521r1'],
    [
      'secp256k1',
      () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey,
      'ec secp256k1',
    ],
    ['X25519', () => generateKeyPairSync('x25519').publicKey, 'x25519'],
    ['X448', () => generateKeyPairSync('x448').publicKey, 'x448'],
    ['RSA-PSS', () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey, 'rsa-pss'],
    [
      'DSA',
      () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).publicKey,
      'dsa',
    ],
    [
      'another EC curve',
      () => generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' }).publicKey,
      'ec',
    ],
    ['ML-DSA', () => generateKeyPairSync('ml-dsa-44').publicKey, 'of an unknown kind'],
  ])('rejects a public key of another type, and names the type: %s', (_, make, kind) => {
    expect(() => readPublicKey(spkiPem(make()))).toThrow(
      expect.objectContaining({
        code: 'KEY_KIND',
        message: `the key is ${kind}, not ECDSA on P-256`,
        hint: expect.stringContaining('keygen'),
      }),
    );
  });
});

describe('text that is not a public key', () => {
  it.each([
    ['empty text', ''],
    ['a word', 'key'],
    ['an empty PEM block', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n'],
    ['a PEM block with invalid content', pem.replace(/MFkw.../, 'AAAAAAA')],
    ['truncated PEM', pem.slice(0, 100)],
    ['two keys in one text', pem + pem],
    ['a key after other text', `my key:\n${pem}`],
    [
      'a point that is not on the curve',
      der.toString('base64').replace(/.{20}==$/, 'AAAAAAAAAAAAAAAAAAAA=='),
    ],
    ['base64 with spaces', der.toString('base64').replace(/(.{40})/, '$1 ')],
    ['a megabyte of base64', 'A'.repeat(1_000_000)],
    ['an OpenSSH key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIrJ me@laptop'],
  ])('rejects text that is not a public key: %s', (_, text) => {
    expect(() => readPublicKey(text)).toThrow(expect.objectContaining({ code: 'KEY_FORMAT' }));
  });

  it('rejects a certificate as a public key, although it contains one', async () => {
    const text = await certificate();
    expect(text).toContain('BEGIN CERTIFICATE');
    expect(() => readPublicKey(text)).toThrow(expect.objectContaining({ code: 'KEY_FORMAT' }));
  });

  it.each([
    ['in PKCS#8', privatePem],
    ['in SEC1', pair.privateKey.export({ format: 'pem', type: 'sec1' }).toString()],
    [
      'encrypted',
      pair.privateKey
        .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
    ],
    ['after a public key', pem + privatePem],
  ])('rejects a private key as a public key without printing it: %s', (_, text) => {
    const error = refusalOf(text);
    expect(error).toMatchObject({
      code: 'KEY_FORMAT',
      message: 'expected a public key, found a private key',
    });
    expect(inspect(error)).not.toContain(text.split('\n')[1]);
  });

  it('rejects any text that is not a public key with a LandfallError', () => {
    const text = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc
        .base64String()
        .map((inner) => `-----BEGIN PUBLIC KEY-----\n${inner}\n-----END PUBLIC KEY-----`),
    );
    fc.assert(
      fc.property(text, (any) => {
        expect(() => readPublicKey(any)).toThrow(
          expect.objectContaining({ name: 'LandfallError' }),
        );
        expect(isPublicKey(any)).toBe(false);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});

describe('the format of a key in release.json', () => {
  const spki = der.toString('base64');

  it('accepts a parsed key as a key in release.json', () => {
    expect(isPublicKey(readPublicKey(pem).spki)).toBe(true);
  });

  it.each([
    ['PEM', pem],
    ['no padding', spki.replaceAll('=', '')],
    ['a line break at the end', `${spki}\n`],
    ['a leading space', ` ${spki}`],
    ['the URL alphabet', spki.replace(/^M/, '-')],
    ['trailing bytes', Buffer.concat([der, Buffer.from('x')]).toString('base64')],
    ['spare bits that are not zero', spki.replace(/.==$/, 'B==')],
    ['a point that is not on the curve', spki.replace(/.{20}==$/, 'AAAAAAAAAAAAAAAAAAAA==')],
  ])('rejects a key in release.json in another form: %s', (_, text) => {
    expect(isPublicKey(text)).toBe(false);
  });

  it.each(['-conv_form compressed', '-param_enc explicit'])(
    'rejects a key in release.json in another encoding of openssl: %s',
    async (option) => {
      const other = await respelt(...option.split(' '));
      expect(isPublicKey(other.replaceAll(/-----.*-----|\n/g, ''))).toBe(false);
    },
  );
});

describe('a key ID', () => {
  it('formats a key ID as eight groups of four digits, for comparison by users', () => {
    const id = '0123456789abcdef'.repeat(4);
    expect(formatKeyId(id)).toBe('0123 4567 89ab cdef 0123 4567 89ab cdef');
  });
});

function refusalOf(text: string): unknown {
  try {
    return readPublicKey(text);
  } catch (error) {
    return error;
  }
}
