import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { readAccount } from '../host/account.ts';
import { writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { sshdSettings, sshListeners } from '../host/sshd.ts';
import { publicHostKeys } from './host-keys.ts';
import { sshCommand } from './loopback-client.ts';
import { addProofKey, removeProofKey } from './proof-key.ts';
import { refusalsSince } from './refusals.ts';

const knownHosts = 'run/landfall/login-proof/known_hosts';
/** While sshd reads its settings anew, or the machine still boots, nobody gets in. */
const passing =
  /Connection (?:refused|reset|closed)|System is booting up|not permitted to log in yet/;
const attempts = 10;
const pauseMs = 1000;
const loginSeconds = 60;

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
    const [listener] = await sshListeners(host);
    if (!listener) throw unproven('SSH listens on no port', []);
    const target = loopbackOf(listener.address);
    const key = await addProofKey(host, account, [...new Set(['127.0.0.1', '::1', target])]);
    await trustOwnHostKeys(host);
    const { file, args } = sshCommand({
      user,
      address: target,
      port: listener.port,
      key,
      knownHosts: host.path(knownHosts),
    });
    const { code, stderr } = await patiently(() =>
      host.run(file, args, { accept: anyCode, seconds: loginSeconds }),
    );
    if (code === 0) return;
    const said = [...lastLines(stderr), ...(await refusalsSince(host, began))];
    throw unproven(
      code === 255
        ? `${user} cannot log in here with a key`
        : `${user} can log in with a key, but does not become root with sudo`,
      said,
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

/** Where a listener is reached from this machine itself. */
export function loopbackOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/** Whoever answers must be this machine's own sshd. */
async function trustOwnHostKeys(host: Host): Promise<void> {
  const files = (await sshdSettings(host)).get('hostkey') ?? [];
  const keys = await publicHostKeys(host, files);
  await writeText(host, knownHosts, keys.map((key) => `* ${key}\n`).join(''), { mode: 0o600 });
}

async function patiently<Result extends { code: number; stderr: string }>(
  login: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await login();
    if (result.code !== 255 || !passing.test(result.stderr) || attempt === attempts) return result;
    await sleep(pauseMs);
  }
}

function lastLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-3);
}

const anyCode = Array.from({ length: 256 }, (_, code) => code);
