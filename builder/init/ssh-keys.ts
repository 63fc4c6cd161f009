import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/** Base folders for relative paths and `~`. */
interface BaseFolders {
  readonly cwd: string;
  readonly home: string | undefined;
}

/** Returns the user's public keys: every key in `~/.ssh/*.pub`. */
export async function findSshKeys(home: string | undefined): Promise<string[]> {
  if (!home) return [];
  const folder = join(home, '.ssh');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith('.pub'))
      .map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return texts.flatMap((text) => text.split('\n')).filter(isPublicKey);
}

/** Formats a key with its type, last characters and comment, which identify it. */
export function shortened(key: string): string {
  const [type = '', body = '', ...comment] = key.split(' ');
  return `${type} …${body.slice(-12)} ${comment.join(' ')}`;
}

/**
 * Returns the SSH public key for an input: the key itself, or a file that contains it.
 * @throws LandfallError USAGE when it is neither, or a private key
 */
export async function readSshKey(given: string, { cwd, home }: BaseFolders): Promise<string> {
  if (isPublicKey(given)) return given.trim();
  const path = resolve(cwd, home ? given.replace(/^~(?=\/)/, home) : given);
  const text = await readFile(path, 'utf8').catch(() => '');
  const line = text.split('\n').find(isPublicKey);
  if (line) return line.trim();
  const secret = /PRIVATE KEY/.test(given + text);
  throw new LandfallError(
    'USAGE',
    secret ? 'the SSH key is a private key' : `${given} is not an SSH public key`,
    {
      hint: secret
        ? 'Use the public key: the file that ends with .pub.'
        : 'Use a .pub file, or create a key pair with: ssh-keygen -t ed25519',
    },
  );
}

function isPublicKey(text: string): boolean {
  return /^\s*(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d+|sk-\S+@openssh\.com) [A-Za-z0-9+/]+=*/.test(
    text,
  );
}
