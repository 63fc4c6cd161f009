import { providerKeyName } from '#contract/site/key-names.ts';
import { readSecrets } from '../../secrets/secret-values.ts';
import type { Check } from '../finding.ts';

/** Reports providers of the site without a key. */
export const providerKeysCheck: Check = {
  name: 'provider-keys',
  root: true,
  needs: 'site',
  run: async ({ host, site }) => {
    const secrets = await readSecrets(host, site);
    return Object.keys(site.providers)
      .filter((provider) => !secrets[providerKeyName(provider)])
      .map((provider) => ({
        code: 'PROVIDER_KEY_MISSING',
        subject: provider,
        text: `the provider ${provider} has no key: ${providerKeyName(provider)} is not set`,
      }));
  },
};
