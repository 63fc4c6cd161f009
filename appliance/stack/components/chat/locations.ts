import { addressInStack } from '../../address-in-stack.ts';
import { policy, proxied, toNext } from '../../gateway/directives.ts';

/**
 * NextChat's page, its files, and the two interfaces that they need (v2.16.1). Nothing else of it is
 * served: its other routes relay to third parties and to wherever a visitor wants, and a POST to its
 * page calls its functions, one of which runs programs. Next.js matches paths without regard to case.
 */
export function chatLocations(scheme: string): string {
  const upstream = addressInStack('chat');
  const readOnly = 'limit_except GET { deny all; }';
  return [
    // Its page asks Google Analytics in, whatever its settings say.
    policy(
      "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self'; frame-ancestors 'self'",
    ),
    toNext(scheme),
    // nginx and Next.js may read such paths in different ways. No path of NextChat has these characters.
    String.raw`if ($request_uri ~ "^[^?]*(?:[%\\\\]|//|/\.\.?(?:[/?]|$))") { return 403; }`,
    proxied('= /', upstream, readOnly),
    proxied('^~ /_next/static/', upstream, readOnly),
    // The image optimizer fetches what it resizes: only NextChat's own pictures.
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
    // Next.js takes a parameter `nxtPprovider` for the name in the path, which would be another interface.
    proxied('^~ /api/openai/', upstream, 'if ($args ~ "(?:^|&)(?:nxt|[^&=]*%)") { return 403; }'),
    'location / { return 403; }',
  ].join('\n');
}
