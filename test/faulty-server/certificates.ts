import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/* Generates certificates at runtime, so that the repository has no private key and nothing expires. */

export interface Issued {
  /** PEM, PKCS#8. */
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

export interface Wanted {
  /** Subject alternative names; default 127.0.0.1 and localhost. */
  readonly addresses?: readonly string[];
  readonly names?: readonly string[];
  /** Days from now; negative for an expired one. */
  readonly days?: number;
  /** Start of validity in days from now; default -2. */
  readonly since?: number;
  /** What it proves; default: the identity of a server. */
  readonly usage?: 'serverAuth' | 'clientAuth';
}

/** Object identifiers in hex (RFC 5280, 4.2). */
const ids = {
  subjectKeyId: '551d0e',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  authorityKeyId: '551d23',
  extendedKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
} as const;

/** Bit strings, prefixed with the number of unused bits (RFC 5280, 4.2.1.3). */
const usage = {
  digitalSignature: tlv(0x03, Buffer.from([7, 0x80])),
  signCertificates: tlv(0x03, Buffer.from([1, 0x06])),
} as const;

/** A test authority with a P-256 key. */
export class CertificateAuthority {
  /** PEM of its certificate. */
  readonly cert: string;
  readonly #name: Buffer;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /**
   * @param isLoose makes the certificate of many companies: against RFC 5280, its basic constraints are not
   * critical, and it names no key usage
   */
  constructor(name = 'test authority', isLoose = false) {
    this.#name = nameOf(name);
    const keyId = extension(ids.subjectKeyId, octets(keyIdOf(this.#keys.publicKey)));
    const loose = [extension(ids.basicConstraints, sequence(boolean(true))), keyId];
    const strict = [
      extension(ids.basicConstraints, sequence(boolean(true)), true),
      extension(ids.keyUsage, usage.signCertificates, true),
      keyId,
    ];
    this.cert = this.#certify(this.#name, this.#keys.publicKey, isLoose ? loose : strict, 1);
  }

  /** The key and the certificate of a server. */
  issue(wanted: Wanted = {}): Issued {
    const { addresses = ['127.0.0.1'], names = ['localhost'], days = 1, since = -2 } = wanted;
    const { usage: purpose = 'serverAuth' } = wanted;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const alternatives = [
      ...addresses.map((address) => tlv(0x87, Buffer.from(address.split('.').map(Number)))),
      ...names.map((name) => tlv(0x82, Buffer.from(name))),
    ];
    const extensions = [
      extension(ids.basicConstraints, sequence(), true),
      extension(ids.keyUsage, usage.digitalSignature, true),
      extension(ids.extendedKeyUsage, sequence(oid(ids[purpose]))),
      extension(ids.subjectAltName, sequence(...alternatives)),
      extension(ids.authorityKeyId, sequence(tlv(0x80, keyIdOf(this.#keys.publicKey)))),
    ];
    return {
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      cert: this.#certify(nameOf('test server'), publicKey, extensions, days, since),
    };
  }

  /** RFC 5280, section 4.1. */
  #certify(
    subject: Buffer,
    publicKey: KeyObject,
    extensions: readonly Buffer[],
    days: number,
    since = -2,
  ): string {
    const algorithm = sequence(oid('2a8648ce3d040302'));
    const day = 24 * 60 * 60 * 1000;
    const content = sequence(
      tlv(0xa0, tlv(0x02, Buffer.from([2]))),
      tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      algorithm,
      this.#name,
      sequence(time(Date.now() + since * day), time(Date.now() + days * day)),
      subject,
      publicKey.export({ type: 'spki', format: 'der' }),
      tlv(0xa3, sequence(...extensions)),
    );
    const signature = sign('sha256', content, this.#keys.privateKey);
    const bits = tlv(0x03, Buffer.concat([Buffer.from([0]), signature]));
    const base64 = sequence(content, algorithm, bits).toString('base64');
    const lines = base64.match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  }
}

/** Encodes DER: tag, length, value. */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  // The shortest form: Go rejects others.
  const size = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : size)]), value]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));
}

/** Any value that is unique per key. */
function keyIdOf(publicKey: KeyObject): Buffer {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest().subarray(0, 20);
}

function octets(value: Buffer): Buffer {
  return tlv(0x04, value);
}

function boolean(value: boolean): Buffer {
  return tlv(0x01, Buffer.from([value ? 255 : 0]));
}

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tlv(0x17, Buffer.from(digits.slice(2)));
}

function nameOf(commonName: string): Buffer {
  const attribute = sequence(oid('550403'), tlv(0x0c, Buffer.from(commonName)));
  return sequence(tlv(0x31, attribute));
}
