import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { flawOfSshKey } from '#contract/site/ssh-public-key.ts';

/** Base folders for relative paths and `~`. */
interface BaseFolders {
  readonly cwd: string;
  readonly home: string | undefined;
}

/** Returns the user's public keys that OpenSSH accepts: every valid key in `~/.ssh/*.pub`. */
export async function findSshKeys(home: string | undefined): Promise<string[]> {
  if (!home) return [];
  const folder = join(home, '.ssh');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith('.pub'))
      .map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  const lines = texts.flatMap((text) => text.split('\n')).map((line) => line.trim());
  return lines.filter((line) => isPublicKey(line) && flawOfSshKey(line) === undefined);
}

/** Formats a key with its type, last characters and comment, which identify it. */
export function shortened(key: string): string {
  const [type = '', body = '', ...comment] = key.split(' ');
  return `${type} …${body.slice(-12)} ${comment.join(' ')}`;
}

/**
 * Returns the SSH public key for an input: the key itself, or a file that contains it. Synchronous,
 * because a prompt validates answers synchronously.
 * @throws LandfallError USAGE when it is neither, a private key, or a key that OpenSSH rejects
 */
export function readSshKey(input: string, { cwd, home }: BaseFolders): string {
  if (input === '') throw notAKey('no SSH public key is given');
  if (isPublicKey(input)) return accepted(input.trim());
  const text = textOf(resolve(cwd, home ? input.replace(/^~(?=\/)/, home) : input));
  const line = text.split('\n').find(isPublicKey);
  if (line) return accepted(line.trim());
  if (/PRIVATE KEY/.test(input + text)) {
    throw new LandfallError('USAGE', 'the SSH key is a private key', {
      hint: 'Use the public key: the file that ends with .pub.',
    });
  }
  throw notAKey(`${input} is not an SSH public key`);
}

function accepted(key: string): string {
  const flaw = flawOfSshKey(key);
  if (flaw === undefined) return key;
  throw new LandfallError('USAGE', `the SSH key ${flaw.message}`, { hint: flaw.hint });
}

function notAKey(message: string): LandfallError {
  return new LandfallError('USAGE', message, {
    hint: 'Use a .pub file, or create a key pair with: ssh-keygen -t ed25519',
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isPublicKey(text: string): boolean {
  return /^\s*(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d+|sk-\S+@openssh\.com) [A-Za-z0-9+/]+=*/.test(
    text,
  );
}
