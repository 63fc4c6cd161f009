import { describe, expect, it } from 'vitest';
import { secretsFolder } from '#contract/server-paths.ts';
import { providerKeysCheck } from '../../../../appliance/doctor/checks/provider-keys.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

const site = { providers: { openai: { base_url: 'https://api.openai.com/v1' } } };

describe('the check of provider keys', () => {
  it('finds a provider without a key', async () => {
    expect(await look(providerKeysCheck, TemporaryHost.with({}), { site })).toEqual([
      [
        'PROVIDER_KEY_MISSING',
        'openai',
        'the provider openai has no key: OPENAI_API_KEY is not set',
      ],
    ]);
  });

  it('accepts a provider with a key', async () => {
    const host = TemporaryHost.with({ [`${secretsFolder}/OPENAI_API_KEY`]: 'sk-x' });
    expect(await look(providerKeysCheck, host, { site })).toEqual([]);
  });
});
