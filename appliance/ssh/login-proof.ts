import { LandfallError } from '#contract/errors.ts';
import { readAccount } from '../host/account.ts';
import { writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { sshListeners } from '../host/sshd/ssh-listeners.ts';
import { sshdSettings } from '../host/sshd/sshd.ts';
import { publicHostKeys } from './host-keys.ts';
import { doorsOf, loginOverLoopback, sshFailed } from './loopback-login.ts';
import { addProofKey, removeProofKey } from './proof-key.ts';
import { refusalsSince } from './refusals.ts';

const knownHostsFile = 'run/landfall/login-proof/known_hosts';
/** Of what ssh wrote, the end is what matters. Lines. */
const quoted = 3;

/**
 * Logs in as this user over SSH from this machine, with a real key and nothing else, and lets sudo
 * do something: the proof that the owner can get in when every other way is closed. The key is gone
 * afterwards.
 * @throws LandfallError SSH_UNPROVEN with what ssh and sshd said
 */
export async function proveLogin(host: Host, user: string): Promise<void> {
  const account = await readAccount(host, user);
  const began = new Date();
  try {
    const doors = doorsOf(await sshListeners(host));
    const addresses = new Set(['127.0.0.1', '::1', ...doors.map(({ address }) => address)]);
    const key = await addProofKey(host, account, [...addresses]);
    const knownHosts = await writeKnownHosts(host);
    const { code, stderr } = await loginOverLoopback(host, { user, doors, key, knownHosts });
    if (code === 0) return;
    const lines = stderr.split('\n').filter((line) => line.trim() !== '');
    throw unproven(
      code === sshFailed
        ? `${user} cannot log in here with a key`
        : `${user} can log in with a key, but does not become root with sudo`,
      [...lines.slice(-quoted), ...(await refusalsSince(host, began))],
    );
  } finally {
    await removeProofKey(host, account);
  }
}

/** An error of what was not proved, with what the programs said about it. */
export function unproven(message: string, said: readonly string[]): LandfallError {
  return new LandfallError('SSH_UNPROVEN', message, {
    hint: 'Passwords and root stay as they were, and nothing was closed. Mend what is named, then run: sudo landfall first-boot',
    problems: said.map((line) => ({ message: line })),
  });
}

/** Whoever answers must be this machine's own sshd. Gives the absolute path of the file. */
async function writeKnownHosts(host: Host): Promise<string> {
  const files = (await sshdSettings(host)).get('hostkey') ?? [];
  const keys = await publicHostKeys(host, files);
  const text = keys.map((key) => `* ${key}\n`).join('');
  await writeText(host, knownHostsFile, text, { mode: 0o600 });
  return host.path(knownHostsFile);
}
