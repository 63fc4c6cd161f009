import { readdir, rm } from 'node:fs/promises';
import { secretsFolder } from '#contract/server-paths.ts';
import { relayKeyPrefix } from '#contract/site/relay-key-name.ts';
import type { Site } from '#contract/site/site.ts';
import { isMissing } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { secretNames } from './secret-names.ts';

/**
 * Relay keys of whom the site no longer names. Nothing else is taken away: a key of a provider is
 * its owner's, and one that was made here may be wanted again.
 */
export async function staleSecrets(host: Host, site: Site): Promise<string[]> {
  const known = new Set(secretNames(site).map(({ name }) => name));
  const kept = await readdir(host.path(secretsFolder)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return kept.filter((name) => name.startsWith(relayKeyPrefix) && !known.has(name)).sort();
}

/** Removes a secret for good. */
export async function removeSecret(host: Host, name: string): Promise<void> {
  await rm(host.path(secretsFolder, name), { force: true });
}
