import { signInEmail } from '#contract/site/email.ts';
import type { CredentialSource } from './public.ts';
import { secretNames } from './secret-names.ts';
import { readSecrets } from './secret-values.ts';

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
