import { existsSync, statSync } from 'node:fs';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';

const ed25519 = 'etc/ssh/ssh_host_ed25519_key.pub';
const rsa = 'etc/ssh/ssh_host_rsa_key.pub';
/** NIST SP 800-57: required after 2030. */
const minRsaBits = 3072;

/**
 * Returns whether the preferred host key is missing, or any is empty. A power cut can leave keys of
 * cloud-init empty, and sshd then does not start.
 */
export function lacksHostKey(host: Host): boolean {
  return !existsSync(host.path(ed25519)) || privateKeys.some((file) => isEmpty(host.path(file)));
}

const privateKeys = ['ed25519', 'ecdsa', 'rsa'].map((kind) => `etc/ssh/ssh_host_${kind}_key`);

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

/**
 * Generates missing host keys and starts sshd. Existing keys are kept, because clients have stored
 * them.
 */
export async function makeHostKeys(host: Host): Promise<void> {
  if (!lacksHostKey(host)) return;
  await host.run('ssh-keygen', ['-A']);
  await host.run('systemctl', ['start', 'ssh.service']);
}

/** Returns whether the RSA host key is too small to be offered to clients. */
export async function hasWeakRsaKey(host: Host): Promise<boolean> {
  if (!existsSync(host.path(rsa))) return false;
  const { stdout } = await host.run('ssh-keygen', ['-l', '-f', host.path(rsa)]);
  return Number.parseInt(stdout, 10) < minRsaBits;
}

/** Returns the public host keys of this server without comments. */
export async function publicHostKeys(host: Host, files: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const file of files) {
    const text = await readText(host, `${file.replace(/^\/+/, '')}.pub`);
    const key = text && /^\S+ \S+/.exec(text)?.[0];
    if (key) keys.push(key);
  }
  return keys;
}
