import { LandfallError } from '#contract/errors.ts';
import { knownProviders } from '#contract/known-providers.ts';
import { modelListOf } from '#contract/site/provider-base.ts';
import { safeUrl } from '#http/safe-url.ts';

/** A provider to probe. */
export interface ProbeTarget {
  /** The name of the provider, or the host of a URL. */
  readonly name: string;
  /** The list of its models (SPEC 4, E3). */
  readonly url: URL;
}

type Providers = Readonly<Record<string, { readonly base_url: string }>>;

/**
 * Returns what to probe: the given URLs, else the providers of the site, else all providers that
 * Landfall knows.
 * @throws LandfallError USAGE for a URL that is not that of a provider
 */
export function targetsOf(urls: readonly string[], providers: Providers = {}): ProbeTarget[] {
  if (urls.length > 0) return urls.map(targetAt);
  const named = Object.entries(providers).map(([name, { base_url }]) => [name, base_url] as const);
  return (named.length > 0 ? named : Object.entries(knownProviders)).map(([name, base]) => ({
    name,
    url: modelListOf(new URL(safeUrl(new URL(base)))),
  }));
}

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
    hint: `Use a URL without a login, such as ${example}.`,
  });
}
