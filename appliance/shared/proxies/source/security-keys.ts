/**
 * Names of keys that decide how a server is verified, how traffic is encrypted or covered, or which way it
 * takes, in lower case and without separators.
 */
const names = new RegExp(
  [
    // Pinned certificates and keys.
    ...['^pin(?!g)', 'pinned', 'sha256', '^pcs$', '^vcn$', '^pqv$', 'mldsa', 'verifypeer'],
    // Authorities, and keys of the client. The opposite of `skip-cert-verify` is the default.
    ...['^ca(?:str|file|path)?$', '(?<!skip|verify)cert(?!verify)', '(?:private|public|client)key'],
    ...['^psk$', 'presharedkey'],
    // What is encrypted, and what hides it.
    ...['encryption', '^security$', '^seed$', 'quicsecurity', 'obfs', 'plugin', 'disablesni'],
    ...['shadowtls', 'restls', 'reality', '^x?tls', 'overtls', '^jls', 'kcptun'],
    // The way to the server.
    ...['dialerproxy', 'detour', 'underlyingproxy', 'proxychain', 'bindinterface', 'routingmark'],
  ].join('|'),
);

/**
 * Returns whether a key may protect a connection, in any spelling: `shadow-tls`, `shadow_tls`, `shadowTls`. An
 * entry with such a key is left out if its reader does not know the key; other unknown keys are ignored.
 */
export function mayProtect(key: string): boolean {
  return names.test(key.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/** Values with which such a key protects nothing. */
export const unprotected: readonly string[] = ['none', 'auto', 'plain', 'off', 'disabled'];
