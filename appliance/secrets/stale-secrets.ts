import { readdir, rm } from 'node:fs/promises';
import { secretsFolder } from '#contract/server-paths.ts';
import { relayKeyPrefix } from '#contract/site/key-names.ts';
import type { Site } from '#contract/site/site.ts';

import { isMissing } from '#files/open-regular.ts';
import type { Host } from '../host/host.ts';
import { secretNames } from './secret-names.ts';

/**
 * Returns the names of relay keys whose client is no longer in the site. Other secrets are kept:
 * provider keys belong to the administrator, and generated ones may be needed again.
 */
export async function staleSecrets(host: Host, site: Site): Promise<string[]> {
  const known = new Set(secretNames(site).map(({ name }) => name));
  const kept = await readdir(host.path(secretsFolder)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return kept.filter((name) => name.startsWith(relayKeyPrefix) && !known.has(name)).sort();
}

/** Deletes a secret. */
export async function removeSecret(host: Host, name: string): Promise<void> {
  await rm(host.path(secretsFolder, name), { force: true });
}
