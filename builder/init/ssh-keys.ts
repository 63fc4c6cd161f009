import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/** What paths are relative to. */
interface Place {
  readonly cwd: string;
  readonly home: string | undefined;
}

/** The public keys that a person has at hand: every line of `~/.ssh/*.pub`. */
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

/** Type and comment tell keys apart; the middle tells nobody anything. */
export function shortened(key: string): string {
  const [type = '', body = '', ...comment] = key.split(' ');
  return `${type} …${body.slice(-12)} ${comment.join(' ')}`;
}

/**
 * A key as a person gave it: the line itself, or a file that holds it.
 * @throws LandfallError USAGE when it is neither, or a private key
 */
export async function readSshKey(given: string, { cwd, home }: Place): Promise<string> {
  if (isPublicKey(given)) return given.trim();
  const path = resolve(cwd, home ? given.replace(/^~(?=\/)/, home) : given);
  const text = await readFile(path, 'utf8').catch(() => '');
  const line = text.split('\n').find(isPublicKey);
  if (line) return line.trim();
  const secret = /PRIVATE KEY/.test(given + text);
  throw new LandfallError(
    'USAGE',
    secret ? 'that is a private SSH key' : `${given} is no public SSH key`,
    {
      hint: secret
        ? 'Give the public half: the file with .pub at its end.'
        : 'Give a .pub file, or make a pair first: ssh-keygen -t ed25519',
    },
  );
}

function isPublicKey(text: string): boolean {
  return /^\s*(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d+|sk-\S+@openssh\.com) [A-Za-z0-9+/]+=*/.test(
    text,
  );
}
