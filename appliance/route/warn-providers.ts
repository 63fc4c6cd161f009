import type { ErrorCode } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { safeUrl } from '#http/safe-url.ts';
import type { Context } from '../stage/stage.ts';
import { reach } from './reach.ts';

/** A provider that was probed. */
interface ProbedProvider {
  readonly name: string;
  readonly url: URL;
  /** Why it cannot be reached. */
  readonly reason?: string | undefined;
  readonly code?: ErrorCode | undefined;
}

/** Sends an HTTPS request to the API host of each provider (SPEC 1.2, SPEC 6). */
export async function probeProviders(
  site: Pick<Site, 'providers' | 'route' | 'ca'>,
): Promise<ProbedProvider[]> {
  const providers = Object.entries(site.providers);
  const reached = await reach(
    site,
    providers.map(([, { base_url }]) => base_url),
  );
  return providers.map(([name, { base_url }]) => {
    const url = new URL(base_url);
    const { failure } = reached.find((each) => each.url.href === url.href) ?? {};
    return { name, url, reason: failure?.message, code: failure?.code };
  });
}

/**
 * Checks the precondition of SPEC 1.2. A failure is a warning, because the administrator must choose a
 * proxy or a relay for that provider.
 */
export async function warnOfProviders({ host, site, report }: Context): Promise<void> {
  const probed = await host.outside.measure(() => probeProviders(site));
  for (const { name, url, reason } of probed) {
    if (reason === undefined) continue;
    report.warn({
      kind: 'provider',
      subject: name,
      text: `the provider ${name} cannot be reached (${safeUrl(url)}: ${reason}); set a proxy as the route of the site, or point providers.${name}.base_url at a relay`,
    });
  }
}
