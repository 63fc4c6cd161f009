import type { Origin } from '#contract/site/endpoints.ts';
import { addressInStack } from '../../address-in-stack.ts';
import { policy, proxied, toNext } from '../../gateway/directives.ts';

/** LobeChat's languages. `me-ME` is not one of them: its page would request itself. */
const lobeLocales = 'ar|(?:bg|de|en|es|fa|fr|it|ja|ko|nl|pl|pt|ru|tr|vi|zh)-[A-Z]{2}';

/**
 * Returns the locations of LobeChat 1.143.3. Blocks two APIs that fetch any URL of the visitor and that
 * the stack does not need. Next.js matches paths case-insensitively and maps
 * `/_next/data/<build>/<path>.json` to `<path>`. LobeChat's pages do not use such paths.
 */
export function lobeLocations(origin: Origin): string {
  return [
    policy("frame-ancestors 'self'"),
    toNext(origin),
    // Next.js treats a backslash as a slash, nginx does not.
    String.raw`if ($request_uri ~ "^[^?]*(?:\\\\|%5[Cc])") { return 403; }`,
    // LobeChat inserts these values into the path of a page that it requests from itself. With `..` that
    // is any path. With `me` or `chat` the page requests itself until memory is exhausted.
    `if ($http_cookie ~ "LOBE_LOCALE=(?!(?:${lobeLocales})?(?:;|$))") { return 403; }`,
    'if ($http_cookie ~ "LOBE_THEME_APPEARANCE=(?!(?:auto|dark|light)?(?:;|$))") { return 403; }',
    `if ($args ~ "(?:^|&)(?:hl|nxt[^&=]*|[^&=]*%[^&=]*)=(?!(?:${lobeLocales})?(?:&|$))") { return 403; }`,
    'location ~* ^/(?:webapi/(?:proxy|plugin)|_next/data)(?:/|$) { return 403; }',
    proxied('/', addressInStack('lobe')),
  ].join('\n');
}
