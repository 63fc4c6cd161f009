import { rm, stat } from 'node:fs/promises';
import { type Account, homePath } from '../host/account.ts';
import { makeFolder, readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** The comment that identifies our line. */
const mark = 'landfall-login-proof';
const folder = 'run/landfall/login-proof';
const privateKey = `${folder}/key`;
const minutesValid = 3;

/**
 * Creates a temporary key that only allows this user to run `sudo -n true` from this machine. It
 * expires after some minutes, and is stored in memory, readable by root only.
 * @param addresses allowed source addresses
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
  const fields = [
    time.getFullYear(),
    time.getMonth() + 1,
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  ];
  return fields.map((field) => `${field}`.padStart(2, '0')).join('');
}
