import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { readSecret } from '../host/secret-file.ts';
import { type SecretName, secretNames } from './secret-names.ts';

/** Returns the stored secrets by name. */
export async function readSecrets(host: Host, site: Site): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name } of secretNames(site)) {
    const value = await readSecret(host, name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Returns the required secrets that the server has not generated yet. */
export async function unmadeSecrets(host: Host, site: Site): Promise<SecretName[]> {
  const values = await readSecrets(host, site);
  return secretNames(site).filter(
    ({ name, generate, required }) => generate && required && values[name] === undefined,
  );
}
