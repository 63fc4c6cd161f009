import type { Site } from '#contract/site/site.ts';
import { makeSecret } from '../host/secret-file.ts';
import { secretNames } from '../secrets/secret-names.ts';

/** Values by the names of `secret-names.ts`. */
export type PreviewSecrets = Readonly<Record<string, string>>;

/** Returns a value for every secret that a server would generate. Keeps the existing values. */
export function completeSecrets(site: Site, existing: PreviewSecrets): PreviewSecrets {
  const made = secretNames(site).flatMap(({ name, generate }) =>
    generate ? [[name, existing[name] ?? makeSecret(generate)] as const] : [],
  );
  return Object.fromEntries(made);
}
