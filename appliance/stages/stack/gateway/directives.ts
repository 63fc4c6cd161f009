import { type Origin, passHeader } from '#contract/site/endpoints.ts';

/**
 * Returns directives that pass the client's address to a component (SPEC 2.9). They overwrite or remove
 * the client's own values of headers that programs trust because a proxy usually sets them.
 * @param origin of the page, with nginx's variable of the host
 */
export function asked(
  origin: Origin,
  upgrade: readonly string[],
  ...cleared: readonly string[]
): string {
  const [scheme, host] = origin.split('://');
  return [
    `proxy_set_header Host ${host};`,
    'proxy_set_header X-Real-IP $remote_addr;',
    'proxy_set_header X-Forwarded-For $remote_addr;',
    `proxy_set_header X-Forwarded-Proto ${scheme};`,
    ...upgrade,
    ...[...headersOfProxies, ...cleared].map((name) => `proxy_set_header ${name} "";`),
    // A component must not make the gateway serve its own files.
    'proxy_ignore_headers X-Accel-Redirect;',
    // Chat responses are slow streams.
    'proxy_buffering off;',
    'proxy_read_timeout 86400s;',
    'proxy_send_timeout 86400s;',
  ].join('\n');
}

/** Programs behind an authenticating proxy trust these headers. The gateway does not authenticate. */
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
  passHeader,
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

export const withUpgrade = [
  'proxy_set_header Upgrade $websocket;',
  'proxy_set_header Connection $connection_upgrade;',
];
export const withoutUpgrade = ['proxy_set_header Upgrade "";', 'proxy_set_header Connection "";'];

/**
 * Returns directives for Next.js. An upgrade makes Next.js before 15.5.16 connect to any host
 * (CVE-2026-44578), and x-middleware-subrequest makes it skip checks before 14.2.25 (CVE-2025-29927).
 * NextChat fetches the URL in x-base-url with its own key.
 */
export function toNext(origin: Origin): string {
  return asked(origin, withoutUpgrade, 'X-Base-URL', ...headersOfNext);
}

/**
 * Next.js sets these headers for itself and takes them from requests too. They choose another route, its
 * parameters, the status or the middleware, so a path that the gateway blocks could be reached.
 */
const headersOfNext = [
  ...['X-Matched-Path', 'X-Now-Route-Matches', 'X-Nextjs-Data', 'X-Nextjs-Matched-Path'],
  ...['X-Invoke-Path', 'X-Invoke-Query', 'X-Invoke-Output', 'X-Invoke-Status', 'X-Invoke-Error'],
  ...['X-Middleware-Subrequest', 'X-Middleware-Subrequest-Id', 'X-Middleware-Invoke'],
  ...['X-Middleware-Rewrite', 'X-Middleware-Redirect', 'X-Middleware-Next', 'X-Middleware-Skip'],
  ...['X-Middleware-Set-Cookie', 'X-Middleware-Override-Headers', 'X-Middleware-Refresh'],
  ...['X-Middleware-Cache', 'X-Middleware-Prefetch', 'X-Prerender-Revalidate'],
  ...['X-Prerender-Revalidate-If-Generated', 'X-Next-Revalidated-Tags', 'Next-Resume'],
  ...['X-Next-Revalidate-Tag-Token', 'X-Action-Forwarded', 'X-Next-Cache-Tags'],
];

export function policy(directives: string): string {
  return `add_header Content-Security-Policy "${directives}" always;`;
}

/** Resolves the upstream per request, so that the gateway starts without the component. */
export function proxied(path: string, upstream: string, ...settings: readonly string[]): string {
  const lines = [...settings, `set $upstream ${upstream};`, 'proxy_pass http://$upstream;'];
  return `location ${path} {\n${lines.map((line) => `  ${line}\n`).join('')}}`;
}

/** How clients connect to a server of the gateway. */
export interface Security {
  readonly tls: boolean;
  /** Whether browsers shall use TLS only from now on. */
  readonly hsts: boolean;
  /** Of the page, with nginx's variable of the host. */
  readonly origin: Origin;
  /** Whether clients reach the gateway without TLS too. */
  readonly plain: boolean;
}

/** Without HSTS, as without TLS and for addresses. */
export const noHsts = { hsts: false };

/**
 * Returns the security headers of every response. nginx ignores those of a server in a location that
 * adds headers itself, so such a location repeats them.
 */
export function securityHeaders({ hsts }: Pick<Security, 'hsts'>): string[] {
  return [
    'add_header X-Content-Type-Options nosniff always;',
    'add_header Referrer-Policy same-origin always;',
    ...(hsts ? ['add_header Strict-Transport-Security "max-age=31536000" always;'] : []),
  ];
}

/** Renders a server block of nginx, with the security headers. */
export function server(security: Pick<Security, 'hsts'>, ...parts: readonly string[]): string {
  return `server ${block([...parts, ...securityHeaders(security)])}\n`;
}

/** Renders the braces of a block, with its directives indented. */
export function block(parts: readonly string[]): string {
  return `{\n${parts.join('\n').replace(/^(?=.)/gm, '  ')}\n}`;
}
