import { fromBase64, toBase64, toHex, toLatin1 } from '../text/bytes.ts';
import { inLanguage, type Text } from '../text/language.ts';

/** What is wrong with a public key, with a hint. */
interface KeyFlaw {
  readonly message: string;
  readonly hint: string;
}

const again = {
  en: 'Copy the whole line of the .pub file again.',
  zh: '请重新复制 .pub 文件的整行。',
};
const another = {
  en: 'Create another key: ssh-keygen -t ed25519',
  zh: '另外生成一个密钥：ssh-keygen -t ed25519',
};
const truncated = { en: 'is truncated or has trailing data', zh: '不完整，或末尾有多余的内容' };
/** The minimum of OpenSSH with safe settings (NIST SP 800-131A). */
const minRsaBits = 2048;
/** Number of fields after the name (RFC 4253, section 6.6; RFC 5656; RFC 8709; PROTOCOL.u2f). */
const fieldsByType: Readonly<Record<string, number>> = {
  'ssh-ed25519': 1,
  'ssh-rsa': 2,
  'ecdsa-sha2-nistp256': 2,
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 2,
  'sk-ssh-ed25519@openssh.com': 2,
  'sk-ecdsa-sha2-nistp256@openssh.com': 3,
};
const ed25519Bytes = 32;

/**
 * Returns what is wrong with a line of an OpenSSH public key file, or undefined. A key that lost a
 * character when it was pasted looks valid and locks the administrator out.
 */
export function flawOfSshKey(line: string): KeyFlaw | undefined {
  const [type = '', body = ''] = line.split(' ');
  const bytes = fromBase64(body);
  // sshd rejects a key without its padding, or with non-zero unused bits.
  const fields = bytes && toBase64(bytes) === body ? fieldsOf(bytes) : undefined;
  const complete = fields !== undefined && fields.length === 1 + (fieldsByType[type] ?? -1);
  if (!complete) return flaw(truncated, again);
  const [name, ...values] = fields;
  if (!name || toLatin1(name) !== type) {
    const mixed = {
      en: `has the type ${type}, but its content has another type`,
      zh: `的类型是 ${type}，但内容是另一种类型`,
    };
    return flaw(mixed, again);
  }
  if (/ed25519/.test(type) && values[0]?.length !== ed25519Bytes) {
    return flaw(truncated, again);
  }
  const bits = type === 'ssh-rsa' ? bitsOf(values[1]) : undefined;
  if (bits !== undefined && bits < minRsaBits) {
    const short = {
      en: `has only ${bits} bits, the minimum is ${minRsaBits}`,
      zh: `只有 ${bits} 位，至少要 ${minRsaBits} 位`,
    };
    return flaw(short, another);
  }
  return undefined;
}

function flaw(message: Text, hint: Text): KeyFlaw {
  return { message: inLanguage(message), hint: inLanguage(hint) };
}

/** Returns the length-prefixed strings of a key (RFC 4251, section 5); undefined if truncated. */
function fieldsOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const fields: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + uint32At(bytes, at);
    if (end > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function uint32At({ buffer, byteOffset }: Uint8Array, at: number): number {
  return new DataView(buffer, byteOffset + at, 4).getUint32(0);
}

/** Returns the number of bits of a positive big-endian number, without leading zeros. */
function bitsOf(modulus: Uint8Array | undefined): number {
  const hex = toHex(modulus ?? new Uint8Array(0)).replace(/^0+/, '');
  return hex === '' ? 0 : hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}
