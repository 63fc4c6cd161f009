import { addressInStack } from '../../address-in-stack.ts';
import { policy, proxied, toNext } from '../../gateway/directives.ts';

/** The languages of LobeChat's own list. `me-ME` is not in it, and would be a page that requests itself. */
const lobeLocales = 'ar|(?:bg|de|en|es|fa|fr|it|ja|ko|nl|pl|pt|ru|tr|vi|zh)-[A-Z]{2}';

/**
 * LobeChat 1.143.3. Two of its interfaces fetch the URL that a visitor names, and the stack needs neither.
 * Next.js matches paths without regard to case, and reads `/_next/data/<build>/<path>.json` as `<path>`
 * too, which LobeChat's own pages do not use.
 */
export function lobeLocations(scheme: string): string {
  return [
    policy("frame-ancestors 'self'"),
    toNext(scheme),
    // Next.js reads a backslash as a slash, nginx does not.
    String.raw`if ($request_uri ~ "^[^?]*(?:\\\\|%5[Cc])") { return 403; }`,
    // LobeChat puts these values into the path of a page that it requests from itself. `..` leads to any
    // other path, and `me` or `chat` to a page that requests itself again, until the memory is full.
    `if ($http_cookie ~ "LOBE_LOCALE=(?!(?:${lobeLocales})?(?:;|$))") { return 403; }`,
    'if ($http_cookie ~ "LOBE_THEME_APPEARANCE=(?!(?:auto|dark|light)?(?:;|$))") { return 403; }',
    `if ($args ~ "(?:^|&)(?:hl|nxt[^&=]*|[^&=]*%[^&=]*)=(?!(?:${lobeLocales})?(?:&|$))") { return 403; }`,
    'location ~* ^/(?:webapi/(?:proxy|plugin)|_next/data)(?:/|$) { return 403; }',
    proxied('/', addressInStack('lobe')),
  ].join('\n');
}
