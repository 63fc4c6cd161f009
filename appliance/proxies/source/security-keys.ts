/**
 * Keys that decide how a server is verified, how traffic is encrypted or which way it takes. An entry
 * with one of them is left out if its reader does not know the key; other unknown keys are ignored.
 */
export const securityKeys: ReadonlySet<string> = new Set([
  ...['pinSHA256', 'pinnedPeerCertSha256', 'pcs', 'pin', 'pinned-cert', 'fingerprint-sha256'],
  ...['vcn', 'verifyPeerCertByName', 'verifyPeerCertInNames', 'pqv', 'mldsa65Verify'],
  ...['ca', 'ca-str', 'ca_str', 'certificate', 'certificate_path', 'private-key', 'client_key'],
  ...['encryption', 'seed', 'quicSecurity', 'obfs', 'plugin', 'dialer-proxy', 'detour'],
]);
