import type { Host } from '../host/host.ts';

/** sshd's keyword for a kind of algorithm, its name for `ssh -Q`, and the accepted ones, best first. */
interface Preference {
  readonly keyword: string;
  readonly query: string;
  readonly names: readonly string[];
}

/**
 * Algorithms of OpenSSH 8.9 to 10 without known weaknesses. Finite fields of 4096 and 8192 bits are
 * kept for restricted clients. Group exchange is not, because /etc/ssh/moduli has small groups. NIST
 * curves, SHA-1 and 64-bit tags are not allowed.
 */
const preferences: readonly Preference[] = [
  {
    keyword: 'KexAlgorithms',
    query: 'KexAlgorithms',
    names: [
      'mlkem768x25519-sha256',
      'sntrup761x25519-sha512',
      'sntrup761x25519-sha512@openssh.com',
      'curve25519-sha256',
      'curve25519-sha256@libssh.org',
      'diffie-hellman-group18-sha512',
      'diffie-hellman-group16-sha512',
    ],
  },
  {
    keyword: 'Ciphers',
    query: 'Ciphers',
    names: [
      'chacha20-poly1305@openssh.com',
      'aes256-gcm@openssh.com',
      'aes128-gcm@openssh.com',
      'aes256-ctr',
      'aes192-ctr',
      'aes128-ctr',
    ],
  },
  {
    keyword: 'MACs',
    query: 'MACs',
    names: [
      'hmac-sha2-512-etm@openssh.com',
      'hmac-sha2-256-etm@openssh.com',
      'umac-128-etm@openssh.com',
    ],
  },
  {
    keyword: 'HostKeyAlgorithms',
    query: 'HostKeyAlgorithms',
    names: [
      'ssh-ed25519',
      'ssh-ed25519-cert-v01@openssh.com',
      'rsa-sha2-512',
      'rsa-sha2-256',
      'rsa-sha2-512-cert-v01@openssh.com',
      'rsa-sha2-256-cert-v01@openssh.com',
    ],
  },
];

/** Accepted algorithms that this OpenSSH supports, by sshd's keyword. */
export type Algorithms = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the accepted algorithms that the OpenSSH of this server supports.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function knownAlgorithms(host: Host): Promise<Algorithms> {
  const known = new Map<string, readonly string[]>();
  for (const { keyword, query, names } of preferences) {
    const { stdout } = await host.run('ssh', ['-Q', query]);
    const here = new Set(stdout.split('\n'));
    known.set(
      keyword,
      names.filter((name) => here.has(name)),
    );
  }
  return known;
}
