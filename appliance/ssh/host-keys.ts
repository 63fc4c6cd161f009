import { existsSync, statSync } from 'node:fs';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

const ed25519 = 'etc/ssh/ssh_host_ed25519_key.pub';
const rsa = 'etc/ssh/ssh_host_rsa_key.pub';
/** NIST SP 800-57: what holds beyond 2030. */
const leastRsaBits = 3072;

/**
 * Whether the key that clients are shown first is missing, or one is empty: that is what a power
 * cut leaves of keys that cloud-init made a moment before, and then sshd does not start.
 */
export function lacksHostKey(host: Host): boolean {
  return !existsSync(host.path(ed25519)) || privateKeys.some((file) => isEmpty(host.path(file)));
}

const privateKeys = ['ed25519', 'ecdsa', 'rsa'].map((kind) => `etc/ssh/ssh_host_${kind}_key`);

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

/**
 * Makes host keys of kinds that are missing, and lets sshd start with them. Those that are there
 * stay: clients know them.
 */
export async function makeHostKeys(host: Host): Promise<void> {
  if (!lacksHostKey(host)) return;
  await host.run('ssh-keygen', ['-A']);
  await host.run('systemctl', ['start', 'ssh.service']);
}

/** Whether there is an RSA key so small that clients should not be shown it. */
export async function hasWeakRsaKey(host: Host): Promise<boolean> {
  if (!existsSync(host.path(rsa))) return false;
  const { stdout } = await host.run('ssh-keygen', ['-l', '-f', host.path(rsa)]);
  return Number.parseInt(stdout, 10) < leastRsaBits;
}

/** The public host keys of this server, each without its comment. */
export async function publicHostKeys(host: Host, files: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const file of files) {
    const text = await readText(host, `${file.replace(/^\/+/, '')}.pub`);
    const key = text && /^\S+ \S+/.exec(text)?.[0];
    if (key) keys.push(key);
  }
  return keys;
}
