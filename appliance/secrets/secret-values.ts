import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { readSecret } from '../host/secret-file.ts';
import { type SecretName, secretNames } from './secret-names.ts';

/** The secrets that are there, by name. */
export async function readSecrets(host: Host, site: Site): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name } of secretNames(site)) {
    const value = await readSecret(host, name);
    if (value !== undefined) values[name] = value;
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
