import { LandfallError } from '#contract/errors.ts';
import { providerTable } from '#contract/known-providers.ts';
import type { ProviderApi } from '#contract/site/providers/provider-api.ts';
import { modelListOf } from '#contract/site/providers/provider-base.ts';
import { safeUrl } from '#http/safe-url.ts';

/** A provider to probe. */
export interface ProbeTarget {
  /** The name of the provider, or the host of a URL. */
  readonly name: string;
  /** The list of its models (SPEC 4, E3). */
  readonly url: URL;
}

type Providers = Readonly<
  Record<string, { readonly base_url: string; readonly api?: ProviderApi | undefined }>
>;

/**
 * Returns what to probe: the given URLs, else the providers of the site, else all providers that
 * Landfall knows.
 * @throws LandfallError USAGE for a URL that is not that of a provider
 */
export function targetsOf(urls: readonly string[], providers: Providers = {}): ProbeTarget[] {
  if (urls.length > 0) return urls.map(targetAt);
  const isNamed = Object.keys(providers).length > 0;
  return Object.entries(isNamed ? providers : knownSites).map(([name, { base_url, api }]) => {
    const url = modelListOf(new URL(safeUrl(new URL(base_url))));
    // Without any key, Gemini responds with 403, as if it blocked this address.
    if (api === 'gemini') url.searchParams.set('key', 'none');
    return { name, url };
  });
}

/** The known providers as a site names them. */
const knownSites: Providers = Object.fromEntries(
  Object.entries(providerTable).map(([name, { baseUrl, api }]) => [
    name,
    { base_url: baseUrl, api },
  ]),
);

function targetAt(text: string): ProbeTarget {
  const url = webUrlOf(text, 'the URL of a provider', 'https://api.openai.com');
  return { name: url.host, url: modelListOf(new URL(safeUrl(url))) };
}

/**
 * Reads a URL of the command line.
 * @throws LandfallError USAGE; the message does not contain the text, which may have a login
 */
export function webUrlOf(text: string, what: string, example: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && `${url.username}${url.password}${url.hash}` === '';
  if (url !== undefined && isPlain && /^https?:$/.test(url.protocol)) return url;
  throw new LandfallError('USAGE', `not ${what}: a value is not a plain http or https URL`, {
    hint: {
      en: `Use a URL without a login, such as ${example}.`,
      zh: `使用不含登录信息的地址，例如 ${example}。`,
    },
  });
}
