import type { NamedPart } from '#contract/served-hosts.ts';

/** What a part of the stack answers under its host name: nginx locations. */
export function locationsOf(part: NamedPart, tls: boolean): string {
  const scheme = tls ? 'https' : 'http';
  switch (part) {
    case 'ui':
      return ui(scheme);
    case 'chat':
      return chat(scheme);
    case 'lobe':
      return proxied('/', 'lobe:3210', [...withoutUpgrade(scheme), ...streaming]);
    case 'relay':
      return proxied('/', 'relay:8080', [...withoutUpgrade(scheme), ...streaming]);
    case 'docs':
      return docs;
  }
}

/** Who asked, for the part behind (SPEC 2.9). The address is overwritten, never taken over. */
function forwarded(scheme: string): string[] {
  return [
    'proxy_set_header Host $host;',
    'proxy_set_header X-Real-IP $remote_addr;',
    'proxy_set_header X-Forwarded-For $remote_addr;',
    `proxy_set_header X-Forwarded-Proto ${scheme};`,
  ];
}

function withUpgrade(scheme: string): string[] {
  return [
    ...forwarded(scheme),
    'proxy_set_header Upgrade $http_upgrade;',
    'proxy_set_header Connection $connection_upgrade;',
  ];
}

/**
 * Next.js before 15.5.16 can be sent anywhere by an upgrade (CVE-2026-44578), and NextChat fetches
 * the address in x-base-url with the key it holds.
 */
function withoutUpgrade(scheme: string): string[] {
  return [
    ...forwarded(scheme),
    'proxy_set_header Upgrade "";',
    'proxy_set_header Connection "";',
    'proxy_set_header x-base-url "";',
  ];
}

const streaming = [
  'proxy_buffering off;',
  'proxy_cache off;',
  'proxy_read_timeout 86400s;',
  'proxy_send_timeout 86400s;',
];

/** The name is looked up when somebody asks, so that the gateway starts without the part. */
function proxied(path: string, upstream: string, settings: readonly string[]): string {
  return `location ${path} {
  set $upstream ${upstream};
  proxy_pass http://$upstream;
${settings.map((line) => `  ${line}\n`).join('')}}`;
}

function ui(scheme: string): string {
  const settings = [...withUpgrade(scheme), ...streaming];
  return [
    proxied('/', 'ui:8080', settings),
    // Nothing else holds back who guesses passwords. No other site signs people in here, and who
    // claims to be one would not be counted for bans.
    proxied('/api/v1/auths/', 'ui:8080', [
      'if ($is_own_page = 0) { return 403; }',
      'limit_req zone=sign_in burst=20 nodelay;',
      ...settings,
    ]),
  ].join('\n');
}

/**
 * NextChat's page, its files, and the two interfaces that they need (v2.16.1). Nothing else of it is
 * served: its other routes relay to third parties and to wherever a visitor wants, and a POST to its
 * page calls its functions, one of which runs programs. Next.js matches paths without regard to case.
 */
function chat(scheme: string): string {
  const settings = [...withoutUpgrade(scheme), ...streaming];
  const readOnly = [...settings, 'limit_except GET { deny all; }'];
  return [
    // Its page asks Google Analytics in, whatever its settings say.
    `add_header Content-Security-Policy "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self'" always;`,
    // Paths that nginx and Next.js might read in different ways. None of its own has these characters.
    String.raw`if ($request_uri ~ "^[^?]*(?:[%\\\\]|//|/\.\.?(?:[/?]|$))") { return 403; }`,
    proxied('= /', 'chat:3000', readOnly),
    proxied('^~ /_next/static/', 'chat:3000', readOnly),
    // It resizes pictures that it fetches by itself: only its own.
    proxied('= /_next/image', 'chat:3000', [
      String.raw`if ($args !~ "^url=%2F_next%2Fstatic%2Fmedia%2F[\w.-]+&w=\d+&q=\d+$") { return 403; }`,
      ...readOnly,
    ]),
    proxied(
      String.raw`~ ^/[\w-]+\.(?:css|ico|js|json|png|svg|txt|webmanifest)$`,
      'chat:3000',
      readOnly,
    ),
    proxied('= /api/config', 'chat:3000', settings),
    proxied('^~ /api/openai/', 'chat:3000', settings),
    'location / { return 403; }',
  ].join('\n');
}

/** Pages as HTML, and as Markdown by the name with .md or for who accepts only that (SPEC 4, E7). */
const docs = `root /usr/share/landfall/docs;
types { text/html html; text/markdown md; text/plain txt; }
charset utf-8;
charset_types text/markdown text/plain;
add_header Vary Accept always;
add_header Content-Security-Policy "default-src 'none'; style-src 'unsafe-inline'" always;
location / { try_files $uri $uri.$page_format =404; }
location = / { return 302 /agents/index; }`;
