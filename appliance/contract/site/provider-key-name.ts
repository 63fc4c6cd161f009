/**
 * The name of the key that a provider gave its customer: `openai` has `OPENAI_API_KEY`. The
 * specification's `PROVIDER_API_KEY` and `SECOND_PROVIDER_API_KEY` are those of the providers named
 * `provider` and `second-provider` (SPEC 2.5).
 */
export function providerKeyName(provider: string): string {
  return `${provider.replaceAll('-', '_').toUpperCase()}_API_KEY`;
}
