/**
 * The password of the SOCKS5 server. The stage route generates it, because it runs before the stage
 * secrets, which shows it. 24 of 57 letters: 139 bits. Without look-alike characters.
 */
export const socksPassword = {
  name: 'SOCKS_PASSWORD',
  generate: {
    length: 24,
    alphabet: 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789',
  },
} as const;
