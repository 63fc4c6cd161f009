import type { Host } from '../../server/host/host.ts';

/**
 * Algorithms of OpenSSH 8.9 to 10 without known weaknesses. Finite fields of 4096 and 8192 bits are
 * kept for restricted clients. Group exchange is not, because /etc/ssh/moduli has small groups. NIST
 * curves, SHA-1 and 64-bit tags are not allowed. The best one is first; the keywords of sshd are also names
 * for `ssh -Q`.
 */
const preferences: Readonly<Record<string, readonly string[]>> = {
  KexAlgorithms: [
    'mlkem768x25519-sha256',
    'sntrup761x25519-sha512',
    'sntrup761x25519-sha512@openssh.com',
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group16-sha512',
  ],
  Ciphers: [
    'chacha20-poly1305@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-gcm@openssh.com',
    'aes256-ctr',
    'aes192-ctr',
    'aes128-ctr',
  ],
  MACs: [
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256-etm@openssh.com',
    'umac-128-etm@openssh.com',
  ],
  HostKeyAlgorithms: [
    'ssh-ed25519',
    'ssh-ed25519-cert-v01@openssh.com',
    'rsa-sha2-512',
    'rsa-sha2-256',
    'rsa-sha2-512-cert-v01@openssh.com',
    'rsa-sha2-256-cert-v01@openssh.com',
  ],
};

/** Accepted algorithms that this OpenSSH supports, by sshd's keyword. */
export type Algorithms = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the accepted algorithms that the OpenSSH of this server supports.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function knownAlgorithms(host: Host): Promise<Algorithms> {
  const known = Object.entries(preferences).map(async ([keyword, names]) => {
    const { stdout } = await host.run('ssh', ['-Q', keyword]);
    const here = new Set(stdout.split('\n'));
    return [keyword, names.filter((name) => here.has(name))] as const;
  });
  return new Map(await Promise.all(known));
}
