import { signInEmail } from '#contract/site/email.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../server/host/host.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import type { CredentialSource } from './public.ts';
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

/** Returns the passwords and keys of the stack that users need. */
export const stackCredentials: CredentialSource = async (host, site) => {
  const values = await readSecrets(host, site);
  return secretNames(site).flatMap(({ name, title, required }) => {
    const value = values[name];
    if (title === undefined || value === undefined || !required) return [];
    const login = name === 'WEBUI_ADMIN_PASSWORD' ? { login: signInEmail(site) } : {};
    return [{ title, name, value, ...login }];
  });
};
