import { LandfallError } from '#contract/errors.ts';
import { readAccount } from '../host/account.ts';
import { writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { sshListeners } from '../host/sshd/ssh-listeners.ts';
import { sshdSettings } from '../host/sshd/sshd.ts';
import { publicHostKeys } from './host-keys.ts';
import { loginOverLoopback, loopbackEndpoints, sshFailed } from './loopback-login.ts';
import { addProofKey, removeProofKey } from './proof-key.ts';
import { refusalsSince } from './refusals.ts';

const knownHostsFile = 'run/landfall/login-proof/known_hosts';
/** How many of the last lines of ssh are reported. */
const quoted = 3;

/**
 * Verifies that this user can log in over SSH with a key only and become root with sudo, before all
 * other logins are disabled. Uses a temporary key, which is removed afterwards.
 * @throws LandfallError SSH_UNPROVEN with the output of ssh and sshd
 */
export async function proveLogin(host: Host, user: string): Promise<void> {
  const account = await readAccount(host, user);
  const began = new Date();
  try {
    const endpoints = loopbackEndpoints(await sshListeners(host));
    const addresses = new Set(['127.0.0.1', '::1', ...endpoints.map(({ address }) => address)]);
    const key = await addProofKey(host, account, [...addresses]);
    const knownHosts = await writeKnownHosts(host);
    const { code, stderr } = await loginOverLoopback(host, { user, endpoints, key, knownHosts });
    if (code === 0) return;
    const lines = stderr.split('\n').filter((line) => line.trim() !== '');
    throw unproven(
      code === sshFailed
        ? `${user} cannot log in with a key`
        : `${user} can log in with a key, but cannot become root with sudo`,
      [...lines.slice(-quoted), ...(await refusalsSince(host, began))],
    );
  } finally {
    await removeProofKey(host, account);
  }
}

/** Returns the error of a failed test login with the output of the programs. */
export function unproven(message: string, output: readonly string[]): LandfallError {
  return new LandfallError('SSH_UNPROVEN', message, {
    hint: 'Fix the problems above, then run: sudo landfall first-boot. Logins with passwords and as root still work.',
    problems: output.map((line) => ({ message: line })),
  });
}

/** Writes the host keys of this machine, so that ssh rejects any other server. Returns the absolute path. */
async function writeKnownHosts(host: Host): Promise<string> {
  const files = (await sshdSettings(host)).get('hostkey') ?? [];
  const keys = await publicHostKeys(host, files);
  const text = keys.map((key) => `* ${key}\n`).join('');
  await writeText(host, knownHostsFile, text, { mode: 0o600 });
  return host.path(knownHostsFile);
}
