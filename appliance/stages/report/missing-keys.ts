import { providerKeyName } from '#contract/site/key-names.ts';
import { isKeyless } from '#contract/site/providers/provider-api.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../server/host/host.ts';
import { readSecrets } from '../secrets/secret-values.ts';
import { updateReport } from './stored-report.ts';

/** Returns the names of the keys of the site's model providers that are not set. */
export async function missingKeysOf(host: Host, site: Site): Promise<string[]> {
  const secrets = await readSecrets(host, site);
  return Object.entries(site.providers)
    .filter(([, settings]) => !isKeyless(settings))
    .map(([name]) => providerKeyName(name))
    .filter((name) => !secrets[name]);
}

/** Updates the missing keys in the report and the login message after one was set. */
export async function updateMissingKeys(host: Host, site: Site): Promise<void> {
  await updateReport(host, { missingKeys: await missingKeysOf(host, site) });
}
