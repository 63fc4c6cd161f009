import { safeUrl } from '#http/safe-url.ts';
import type { Context } from '../stage/stage.ts';
import { reach } from './reach.ts';

/**
 * Checks the precondition of SPEC 1.2: an HTTPS request to the API host of each provider. A failure
 * is a warning, because the administrator must choose a proxy or a relay for that provider.
 */
export async function warnOfProviders({ host, site, report }: Context): Promise<void> {
  const providers = Object.entries(site.providers);
  if (providers.length === 0) return;
  const urls = providers.map(([, { base_url }]) => base_url);
  const reached = await host.outside.measure(() => reach(site, urls));
  for (const { url, failure } of reached) {
    if (failure === undefined) continue;
    const [name] = providers.find(([, { base_url }]) => new URL(base_url).href === url.href) ?? [];
    report.warn({
      kind: 'provider',
      subject: name ?? url.host,
      text: `the provider ${name} cannot be reached (${safeUrl(url)}: ${failure.message}); set a proxy as the route of the site, or point providers.${name}.base_url at a relay`,
    });
  }
}
