/**
 * Returns the name of a provider's API key: `openai` has `OPENAI_API_KEY`. The specification's
 * `PROVIDER_API_KEY` and `SECOND_PROVIDER_API_KEY` belong to providers named `provider` and
 * `second-provider` (SPEC 2.5).
 */
export function providerKeyName(provider: string): string {
  return `${provider.replaceAll('-', '_').toUpperCase()}_API_KEY`;
}

/** Returns the name of the secret with a client's relay key: `phone` has `RELAY_KEY_PHONE`. */
export function relayKeyName(client: string): string {
  return `${relayKeyPrefix}${client.replaceAll('-', '_').toUpperCase()}`;
}

/** Prefix of the names of relay keys. */
export const relayKeyPrefix = 'RELAY_KEY_';
