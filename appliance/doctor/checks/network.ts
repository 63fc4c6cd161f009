import type { LandfallError } from '#contract/errors.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { safeUrl } from '#http/safe-url.ts';
import { reach } from '../../route/reach.ts';
import type { FindingCode } from '../codes.ts';
import type { Check, Finding } from '../finding.ts';

/** Milliseconds. */
const limit = 15_000;

/**
 * Sends a request to each provider and to the sources of the release, over the route of the site. A
 * failure is one of the proxy, of TLS, or of the provider.
 */
export const networkCheck: Check = {
  name: 'network',
  root: false,
  needs: 'site',
  run: async ({ host, site }) => {
    const providers = Object.values(site.providers).map(({ base_url }) => base_url);
    // Without a provider, the proxy itself still must work.
    const onlyProxy = providers.length === 0 && site.route.mode !== 'direct';
    const urls = onlyProxy ? releaseFolders(site) : providers;
    const reached = await host.outside.measure(() => reach(site, urls, limit));
    const findings = reached.flatMap(({ url, failure }) =>
      failure ? [describe(url, failure)] : [],
    );
    // A server that is set up does not need the host of its release.
    return findings.filter(({ code }) => !onlyProxy || code !== 'PROVIDER_UNREACHABLE');
  },
};

function describe(url: URL, { code, message }: LandfallError): Finding {
  return { code: codes[code] ?? 'PROVIDER_UNREACHABLE', subject: safeUrl(url), text: message };
}

const codes: Readonly<Partial<Record<LandfallError['code'], FindingCode>>> = {
  NETWORK_PROXY: 'PROXY_FAILS',
  NETWORK_TLS: 'TLS_UNTRUSTED',
};
