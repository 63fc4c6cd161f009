import { LandfallError } from '#contract/errors.ts';
import type { HostedRelease } from './api/messages.ts';

/**
 * Returns the URL that receives a file of a release. The response of the API names it, and requests to
 * it have the token, so it must be on the same site (`api.` and `uploads.` of one domain).
 * @throws LandfallError HTTP_REDIRECT for another site or scheme
 */
export function uploadUrl({ upload_url }: HostedRelease, api: URL, name: string): URL {
  const template = upload_url.replace(/\{[^}]*\}$/, '');
  const url = URL.canParse(template) ? new URL(template) : undefined;
  if (url && url.protocol === api.protocol && siteOf(url) === siteOf(api)) {
    url.searchParams.set('name', name);
    return url;
  }
  throw new LandfallError('HTTP_REDIRECT', `uploads rejected: ${api.host} names another site`, {
    hint: 'Check GITHUB_API_URL.',
  });
}

function siteOf({ hostname }: URL): string {
  return hostname.replace(/^(?:api|uploads)\./, '');
}
