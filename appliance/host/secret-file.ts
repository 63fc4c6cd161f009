import { randomInt } from 'node:crypto';
import { secretsFolder } from '#contract/server-paths.ts';
import { makeFolder, readText, writeText } from './files.ts';
import type { Host } from './host.ts';

/** What a secret is made of. */
interface SecretShape {
  /** Characters. */
  readonly length: number;
  /** Each of its characters is as likely as every other. */
  readonly alphabet: string;
}

/** A random secret from the system's generator. */
export function makeSecret({ length, alphabet }: SecretShape): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** A secret that lies on the server, or nothing. A line break at its end is an editor's. */
export async function readSecret(host: Host, name: string): Promise<string | undefined> {
  return (await readText(host, fileOf(name)))?.replace(/\r?\n$/, '') || undefined;
}

/** Keeps a secret for root alone: after a power cut it is the old one or the new one, never half. */
export async function writeSecret(host: Host, name: string, value: string): Promise<void> {
  await makeFolder(host, secretsFolder, { mode: 0o700 });
  await writeText(host, fileOf(name), `${value}\n`, { mode: 0o600 });
}

/** The secret of this name; made and kept the first time, the same ever after. */
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
