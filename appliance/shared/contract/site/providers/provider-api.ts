/** The formats of providers. Requests pass the relay, they are not translated. */
export const providerApis = ['openai', 'anthropic', 'gemini'] as const;
export type ProviderApi = (typeof providerApis)[number];

/**
 * Returns the providers with OpenAI's API by name, in the order of the site. The chat UI and the
 * front-ends use no other.
 */
export function openaiProviders<Settings extends { readonly api?: ProviderApi | undefined }>({
  providers,
}: {
  readonly providers: Readonly<Record<string, Settings>>;
}): Array<[string, Settings]> {
  return Object.entries(providers).filter(([, { api = 'openai' }]) => api === 'openai');
}

/** Returns whether a provider works without a key: a machine of the administrator often has none. */
export function isKeyless({ plain }: { readonly plain?: string | undefined }): boolean {
  return plain !== undefined;
}
