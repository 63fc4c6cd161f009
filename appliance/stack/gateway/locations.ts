import type { NamedPart } from '#contract/site/served-hosts.ts';

/** What a part of the stack answers under its host name: nginx settings and locations. */
export function locationsOf(part: NamedPart, tls: boolean): string {
  const scheme = tls ? 'https' : 'http';
  switch (part) {
    case 'ui':
      return ui(scheme);
    case 'chat':
      return chat(scheme);
    case 'lobe':
      return lobe(scheme);
    case 'relay':
      return [
        policy("frame-ancestors 'none'"),
        asked(scheme, withoutUpgrade),
        proxied('/', 'relay:8080'),
      ].join('\n');
    case 'docs':
      return docs;
  }
}

/**
 * Tells a component who asked (SPEC 2.9). The client's own claims are overwritten or removed: its
 * address, and the headers that programs trust because a proxy usually sets them.
 */
function asked(scheme: string, upgrade: readonly string[], ...cleared: readonly string[]): string {
  return [
    'proxy_set_header Host $host;',
    'proxy_set_header X-Real-IP $remote_addr;',
    'proxy_set_header X-Forwarded-For $remote_addr;',
    `proxy_set_header X-Forwarded-Proto ${scheme};`,
    ...upgrade,
    ...[...headersOfProxies, ...cleared].map((name) => `proxy_set_header ${name} "";`),
    // A component must not choose a file of the gateway as its answer.
    'proxy_ignore_headers X-Accel-Redirect;',
    // Answers come word by word, and slowly.
    'proxy_buffering off;',
    'proxy_read_timeout 86400s;',
    'proxy_send_timeout 86400s;',
  ].join('\n');
}

/** Programs behind a signing-in proxy trust these; this gateway is not one. */
const headersOfIdentity = [
  'X-Forwarded-User',
  'X-Forwarded-Email',
  'X-Forwarded-Groups',
  'X-Forwarded-Preferred-Username',
  'X-Auth-Request-User',
  'X-Auth-Request-Email',
  'X-OpenWebUI-User-Email',
  'Remote-User',
  'Remote-Email',
  'Cf-Access-Authenticated-User-Email',
];

const headersOfProxies = [
  'Forwarded',
  'X-Forwarded-Host',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'X-Forwarded-Server',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-HTTP-Method-Override',
  ...headersOfIdentity,
];

const withUpgrade = [
  'proxy_set_header Upgrade $websocket;',
  'proxy_set_header Connection $connection_upgrade;',
];
const withoutUpgrade = ['proxy_set_header Upgrade "";', 'proxy_set_header Connection "";'];

/**
 * An upgrade makes Next.js before 15.5.16 connect anywhere (CVE-2026-44578), and
 * x-middleware-subrequest makes it skip checks before 14.2.25 (CVE-2025-29927). NextChat fetches the
 * address in x-base-url with the key it holds.
 */
function toNext(scheme: string): string {
  return asked(scheme, withoutUpgrade, 'X-Middleware-Subrequest', 'X-Base-URL');
}

function policy(directives: string): string {
  return `add_header Content-Security-Policy "${directives}" always;`;
}

/** The name is looked up when somebody asks, so that the gateway starts without the part. */
function proxied(path: string, upstream: string, ...settings: readonly string[]): string {
  const lines = [...settings, `set $upstream ${upstream};`, 'proxy_pass http://$upstream;'];
  return `location ${path} {\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

function ui(scheme: string): string {
  return [
    policy("frame-ancestors 'none'"),
    asked(scheme, withUpgrade),
    proxied('/', 'ui:8080'),
    // The only limit for guessed passwords. A page of another site has no reason to sign users in, and
    // a client that claims to be one is not counted for bans.
    proxied(
      '/api/v1/auths/',
      'ui:8080',
      'if ($is_own_page = 0) { return 403; }',
      'limit_req zone=sign_in burst=20 nodelay;',
    ),
  ].join('\n');
}

/**
 * NextChat's page, its files, and the two interfaces that they need (v2.16.1). Nothing else of it is
 * served: its other routes relay to third parties and to wherever a visitor wants, and a POST to its
 * page calls its functions, one of which runs programs. Next.js matches paths without regard to case.
 */
function chat(scheme: string): string {
  const upstream = 'chat:3000';
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

/** The languages of LobeChat's own list. `me-ME` is not in it, and would be a page that requests itself. */
const lobeLocales = 'ar|(?:bg|de|en|es|fa|fr|it|ja|ko|nl|pl|pt|ru|tr|vi|zh)-[A-Z]{2}';

/**
 * LobeChat 1.143.3. Two of its interfaces fetch the URL that a visitor names, and the stack needs neither.
 * Next.js matches paths without regard to case, and reads `/_next/data/<build>/<path>.json` as `<path>`
 * too, which LobeChat's own pages do not use.
 */
function lobe(scheme: string): string {
  return [
    policy("frame-ancestors 'self'"),
    toNext(scheme),
    // Next.js reads a backslash as a slash, nginx does not.
    String.raw`if ($request_uri ~ "^[^?]*(?:\\\\|%5[Cc])") { return 403; }`,
    // LobeChat puts these values into the path of a page that it requests from itself. `..` leads to any
    // other path, and `me` or `chat` to a page that requests itself again, until the memory is full.
    `if ($http_cookie ~ "LOBE_LOCALE=(?!(?:${lobeLocales})?(?:;|$))") { return 403; }`,
    'if ($http_cookie ~ "LOBE_THEME_APPEARANCE=(?!(?:auto|dark|light)?(?:;|$))") { return 403; }',
    `if ($args ~ "(?:^|&)(?:hl|[^&=]*%[^&=]*)=(?!(?:${lobeLocales})?(?:&|$))") { return 403; }`,
    'location ~* ^/(?:webapi/(?:proxy|plugin)|_next/data)(?:/|$) { return 403; }',
    proxied('/', 'lobe:3210'),
  ].join('\n');
}

/** Pages as HTML, and as Markdown by the name with .md or for who accepts only that (SPEC 4, E7). */
const docs = `root /usr/share/landfall/docs;
types { text/html html; text/markdown md; text/plain txt; }
charset utf-8;
charset_types text/markdown text/plain;
add_header Vary Accept always;
${policy("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")}
location / { try_files $uri $uri.$page_format =404; }
location = / { return 302 /agents/index; }`;
