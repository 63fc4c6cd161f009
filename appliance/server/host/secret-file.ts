import { randomInt } from 'node:crypto';
import { secretsFolder } from '#contract/server-paths.ts';
import { makeFolder, readText, writeText } from './files.ts';
import type { Host } from './host.ts';

interface SecretShape {
  /** Characters. */
  readonly length: number;
  /** Characters are chosen with equal probability. */
  readonly alphabet: string;
}

/** Generates a secret with a cryptographically secure generator. */
export function makeSecret({ length, alphabet }: SecretShape): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Returns a stored secret without a final line break; undefined if it is missing or empty. */
export async function readSecret(host: Host, name: string): Promise<string | undefined> {
  return (await readText(host, fileOf(name)))?.replace(/\r?\n$/, '') || undefined;
}

/** Stores a secret atomically, readable only by root. */
export async function writeSecret(host: Host, name: string, value: string): Promise<void> {
  await makeFolder(host, secretsFolder, { mode: 0o700 });
  await writeText(host, fileOf(name), `${value}\n`, { mode: 0o600 });
}

/** Returns the secret of this name; generates and stores it if it is missing. */
export async function readOrMakeSecret(
  host: Host,
  name: string,
  make: () => string,
): Promise<string> {
  const known = await readSecret(host, name);
  if (known !== undefined) return known;
  const made = make();
  await writeSecret(host, name, made);
  return made;
}

function fileOf(name: string): string {
  return `${secretsFolder}/${name}`;
}
