import { fromBase64 } from '#contract/text/base64.ts';

/** Methods of Shadowsocks that mihomo and sing-box both support. */
export const ssCiphers = [
  ...['aes-128-gcm', 'aes-192-gcm', 'aes-256-gcm'],
  ...['chacha20-ietf-poly1305', 'xchacha20-ietf-poly1305'],
  ...['2022-blake3-aes-128-gcm', '2022-blake3-aes-256-gcm', '2022-blake3-chacha20-poly1305'],
  ...['aes-128-ctr', 'aes-192-ctr', 'aes-256-ctr', 'aes-128-cfb', 'aes-192-cfb', 'aes-256-cfb'],
  ...['chacha20-ietf', 'xchacha20', 'rc4-md5', 'none'],
] as const;

/** Methods of VMess. */
export const vmessCiphers = ['auto', 'aes-128-gcm', 'chacha20-poly1305', 'none', 'zero'] as const;

/** Returns the usual name of a VMess method; programs also write those of Shadowsocks. */
export function vmessCipherOf(text: string | undefined): string | undefined {
  const name = text?.trim().toLowerCase();
  return name === 'chacha20-ietf-poly1305' ? 'chacha20-poly1305' : name;
}

const aliases: Readonly<Record<string, string>> = {
  'chacha20-poly1305': 'chacha20-ietf-poly1305',
  'xchacha20-poly1305': 'xchacha20-ietf-poly1305',
  plain: 'none',
  dummy: 'none',
};

/** Returns the usual name of a Shadowsocks method. */
export function ssCipherOf(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/^aead_/, '')
    .replaceAll('_', '-');
  return aliases[name] ?? name;
}

const keyBytes: Readonly<Record<string, number>> = {
  '2022-blake3-aes-128-gcm': 16,
  '2022-blake3-aes-256-gcm': 32,
  '2022-blake3-chacha20-poly1305': 32,
};

/**
 * Returns whether a password fits its method. Methods of 2022 need keys of a fixed length in base64;
 * those with AES accept several, separated by colons (SIP022, SIP023).
 */
export function isPasswordOf(cipher: string, password: string): boolean {
  const length = keyBytes[cipher];
  if (length === undefined) return true;
  const keys = password.split(':');
  if (keys.length > 1 && !cipher.includes('aes')) return false;
  return keys.every((key) => key.length % 4 === 0 && sizeOf(key) === length);
}

function sizeOf(key: string): number | undefined {
  return fromBase64(key)?.length;
}
