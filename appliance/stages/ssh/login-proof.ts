import { rm, stat } from 'node:fs/promises';
import { LandfallError, type Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { flawOfSshKey } from '#contract/site/ssh-public-key.ts';
import { say } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { type Account, homePath, readAccount } from '../../server/host/account.ts';
import { makeFolder, readText, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { keysIn } from '../../server/host/sshd/authorized-keys.ts';
import { sshListeners } from '../../server/host/sshd/ssh-listeners.ts';
import { sshdSettings } from '../../server/host/sshd/sshd.ts';
import { publicHostKeys } from './host-keys.ts';
import { loginOverLoopback, loopbackEndpoints, sshFailed } from './loopback-login.ts';

const knownHostsFile = 'run/landfall/login-proof/known_hosts';
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

/** Log lines with the reason of a rejected login, which sshd does not send to clients. */
const reasons =
  /Authentication refused|not allowed because|bad ownership|account .* (?:locked|expired)|fatal|error|denied/i;
const max = 4;

/** Returns the log lines of sshd and sudo about rejected logins since then. */
export async function refusalsSince(host: Host, since: Date): Promise<string[]> {
  const names = ['sshd', 'sshd-session', 'sshd-auth', 'sudo'].map((name) => `--identifier=${name}`);
  // Waits until earlier messages are in the journal.
  await host.succeeds('journalctl', ['--sync']);
  const { stdout } = await host.run(
    'journalctl',
    [
      ...['--no-pager', '--quiet', '--output=cat', '--lines=50'],
      `--since=@${Math.floor(since.getTime() / 1000)}`,
      ...names,
    ],
    { accept: [1] },
  );
  const lines = stdout.split('\n').filter((line) => reasons.test(line));
  return [...new Set(lines)].slice(-max);
}

const mark = 'landfall-login-proof';
const folder = 'run/landfall/login-proof';
const privateKey = `${folder}/key`;
const minutesValid = 3;

/**
 * Creates a temporary key that only allows this user to run `sudo -n true` from this machine. It
 * expires after some minutes, and is stored in memory, readable by root only.
 * @returns absolute path of the private key
 */
export async function addProofKey(
  host: Host,
  account: Account,
  addresses: readonly string[],
): Promise<string> {
  await removeProofKey(host, account);
  await makeFolder(host, folder, { mode: 0o700 });
  const path = host.path(privateKey);
  await host.run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', mark, '-f', path]);
  const publicKey = ((await readText(host, `${privateKey}.pub`)) ?? '').trim();
  const options = [
    'restrict',
    `from="${addresses.join(',')}"`,
    `expiry-time="${expiry(new Date(Date.now() + minutesValid * 60_000))}"`,
    'command="sudo -n true"',
  ];
  await editKeys(host, account, (lines) => [...lines, `${options.join(',')} ${publicKey}`]);
  return path;
}

/** Removes the key, including one of an interrupted run. */
export async function removeProofKey(host: Host, account: Account): Promise<void> {
  await editKeys(host, account, (lines) => lines.filter((line) => !line.endsWith(` ${mark}`)));
  await rm(host.path(folder), { recursive: true, force: true });
}

/** Edits the lines of authorized_keys; keeps its owner and permissions, which sshd checks. */
async function editKeys(
  host: Host,
  account: Account,
  edit: (lines: readonly string[]) => readonly string[],
): Promise<void> {
  const path = homePath(account, '.ssh/authorized_keys');
  const text = await readText(host, path);
  if (text === undefined) return;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const edited = edit(lines);
  if (edited.length === lines.length) return;
  const { uid, gid, mode } = await stat(host.path(path));
  await writeText(host, path, `${edited.join('\n')}\n`, { uid, gid, mode: mode & 0o7777 });
}

/** Formats a time as `YYYYMMDDHHMMSS` in local time, which all versions of OpenSSH accept. */
function expiry(time: Date): string {
  // Sweden writes 2026-11-25 23:05:07.
  return time.toLocaleString('sv-SE').replace(/\D/g, '');
}

interface FlawedKey extends Problem {
  /** Its field in the site. */
  readonly field: string;
}

/** Returns the keys of a site that sshd rejects, each with a hint. */
export function flawedKeys({ admin }: Pick<Site, 'admin'>): FlawedKey[] {
  return admin.ssh_keys.flatMap((line, index) => {
    const flaw = flawOfSshKey(line);
    if (!flaw) return [];
    const field = `admin.ssh_keys[${index}]`;
    const message = say(`${field} of the site ${flaw.message}`, `站点的 ${field} ${flaw.message}`);
    return [{ field, message, hint: flaw.hint }];
  });
}

/**
 * Verifies that sshd accepts at least one key of the administrator account, including keys that were
 * added by hand. The test login uses a temporary key, so it does not cover these.
 * @throws LandfallError SSH_UNPROVEN
 */
export async function refuseUselessKeys(host: Host, site: Pick<Site, 'admin'>): Promise<void> {
  const account = await readAccount(host, site.admin.user);
  const text = (await readText(host, homePath(account, '.ssh/authorized_keys'))) ?? '';
  if (keysIn(text).some((key) => flawOfSshKey(key) === undefined)) return;
  throw unproven(
    `no SSH key of ${site.admin.user} is accepted by sshd`,
    flawedKeys(site).map((flaw) => formatProblem(flaw)),
  );
}
