import type { Origin } from '#contract/site/endpoints.ts';
import { addressInStack } from '../../address-in-stack.ts';
import { policy, proxied, toNext } from '../../gateway/directives.ts';

/**
 * Returns the locations of NextChat (v2.16.1): its page, its files, and the two APIs that they need.
 * Other routes are blocked: they forward requests to third parties or to any URL, and a POST to the
 * page calls server functions, one of which runs programs. Next.js matches paths case-insensitively.
 */
export function chatLocations(origin: Origin): string {
  const upstream = addressInStack('chat');
  const readOnly = 'limit_except GET { deny all; }';
  return [
    // The page loads Google Analytics regardless of its settings.
    policy(
      "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self'; frame-ancestors 'self'",
    ),
    toNext(origin),
    // nginx and Next.js may parse such paths differently. No path of NextChat contains these characters.
    String.raw`if ($request_uri ~ "^[^?]*(?:[%\\\\]|//|/\.\.?(?:[/?]|$))") { return 403; }`,
    proxied('= /', upstream, readOnly),
    proxied('^~ /_next/static/', upstream, readOnly),
    // The image optimizer fetches the images that it resizes, so allow NextChat's own images only.
    proxied(
      '= /_next/image',
      upstream,
      String.raw`if ($args !~ "^url=%2F_next%2Fstatic%2Fmedia%2F[\w.-]+&w=\d+&q=\d+$") { return 403; }`,
      readOnly,
    ),
    proxied(
      String.raw`~ ^/[\w-]+\.(?:css|ico|js|json|png|svg|txt|webmanifest)$`,
      upstream,
      readOnly,
    ),
    proxied('= /api/config', upstream),
    // In Next.js a parameter `nxtPprovider` overrides the name in the path and selects another API.
    proxied('^~ /api/openai/', upstream, 'if ($args ~ "(?:^|&)(?:nxt|[^&=]*%)") { return 403; }'),
    'location / { return 403; }',
  ].join('\n');
}
