import { randomInt } from 'node:crypto';
import { secretsFolder } from '#contract/server-paths.ts';
import type { Site } from '#contract/site.ts';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { type SecretName, secretNames } from './secret-names.ts';

/** The secrets that are there, by name. */
export async function readSecrets(host: Host, site: Site): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name } of secretNames(site)) {
    const value = (await readText(host, `${secretsFolder}/${name}`))?.trim();
    if (value) values[name] = value;
  }
  return values;
}

/** The secrets that this server makes for itself and has not made yet. */
export async function unmadeSecrets(host: Host, site: Site): Promise<SecretName[]> {
  const values = await readSecrets(host, site);
  return secretNames(site).filter(
    ({ name, generate, required }) => generate && required && values[name] === undefined,
  );
}

/** Random characters of an alphabet, each as likely as every other. */
export function makeSecret({ length, alphabet }: { length: number; alphabet: string }): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
