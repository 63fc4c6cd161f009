import { providerKeyName } from '#contract/site/key-names.ts';
import { tryProviderKey } from '#smoke/provider-key.ts';
import { readSecrets } from '../../secrets/secret-values.ts';
import { serverTarget } from '../../smoke/target.ts';
import type { Check, Finding } from '../finding.ts';

/** Reports providers of the site without a key, or whose key is rejected. */
export const providerKeysCheck: Check = {
  name: 'provider-keys',
  root: true,
  needs: 'site',
  run: async (context) => {
    const secrets = await readSecrets(context.host, context.site);
    const providers = Object.keys(context.site.providers);
    if (providers.length === 0) return [];
    const target = await serverTarget(context);
    const found = await Promise.all(
      providers.map(async (provider): Promise<Finding[]> => {
        const name = providerKeyName(provider);
        if (!secrets[name]) {
          const text = `the provider ${provider} has no key: ${name} is not set`;
          return [{ code: 'PROVIDER_KEY_MISSING', subject: provider, text }];
        }
        if ((await tryProviderKey(target, provider)) !== 'refused') return [];
        const text = `the provider ${provider} rejects the key in ${name}`;
        return [{ code: 'PROVIDER_KEY_REFUSED', subject: provider, text }];
      }),
    );
    return found.flat();
  },
};
