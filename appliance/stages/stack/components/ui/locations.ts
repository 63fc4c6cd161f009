import type { Origin } from '#contract/site/endpoints.ts';
import { addressInStack } from '../../address-in-stack.ts';
import { insideGateway } from '../../gateway/certificate-files.ts';
import { asked, policy, proxied, withUpgrade } from '../../gateway/directives.ts';
import { errorJson, errorPages } from '../../gateway/gateway-errors.ts';
import { pageScriptFile, pageScriptPath } from './page-script.ts';

/** Returns the locations of Open WebUI. */
export function uiLocations(origin: Origin): string {
  const upstream = addressInStack('ui');
  // Requests from pages of other sites are not counted for bans, so they must not reach the sign-in.
  const own = 'if ($is_own_page = 0) { return 403; }';
  const accounts = 'limit_req zone=accounts burst=60 nodelay;';
  return [
    policy("frame-ancestors 'none'"),
    asked(origin, withUpgrade),
    proxied('/', upstream),
    // A failure of these signs the page out, and every page load asks for two.
    proxied('/api/v1/auths/', upstream, own),
    ...passwordPaths.map((path) => proxied(path, upstream, own, accounts)),
    proxied(
      '/api/v1/auths/signin',
      upstream,
      own,
      accounts,
      'limit_req zone=sign_in burst=2 nodelay;',
    ),
    limits,
    immutable(upstream),
    webPages,
    embeddings(upstream),
    settings(upstream),
  ].join('\n');
}

/** Other paths that try a password. */
const passwordPaths = ['update/password', 'signup', 'ldap'].map((name) => `/api/v1/auths/${name}`);

/**
 * Files whose names change with their content. A page has two hundred, which browsers keep, and sixty
 * people behind one address may open it at once.
 */
function immutable(upstream: string): string {
  return proxied('^~ /_app/immutable/', upstream, 'expires 365d;', 'limit_conn clients 2000;');
}

/** `expires` keeps the security headers of the server, which `add_header` would replace. */
const limits = `location = ${pageScriptPath} {
  alias ${insideGateway(pageScriptFile)};
  types { }
  default_type "text/javascript; charset=utf-8";
  expires -1;
}`;

/** The UI has no egress. */
const noWebPages = errorJson({
  title: {
    en: 'This server does not open web pages: save the page as a PDF or text file, and attach that file',
    zh: '此服务器不打开网页：请将网页保存为 PDF 或文本文件，再上传该文件',
  },
  type: 'invalid_request_error',
  code: 'web_pages_unsupported',
});

/**
 * Rejects web pages that a user attaches. Open WebUI would fail after ten seconds, and a chat that is
 * opened meanwhile would wait for the page forever. Administrators see the entry whatever the settings.
 */
const webPages = `location ~ ^/api/v1/retrieval/process/(?:url|web|youtube)/?$ {
  default_type application/json;
  return 403 '${noWebPages.trim()}';
}`;

const embeddingsFailed = errorJson({
  title: {
    en: 'No embeddings: name an embedding model in model and a text in input, or use the relay of this server',
    zh: '无法生成向量：请在 model 中指定向量模型，在 input 中提供文字，或使用此服务器的中继',
  },
  type: 'invalid_request_error',
  code: 'embeddings_failed',
});

/** Open WebUI answers a model that it does not know, and a request without a text, with a 500. */
function embeddings(upstream: string): string {
  return `${proxied(
    '~ ^/api/(?:v1/)?embeddings$',
    upstream,
    'proxy_intercept_errors on;',
    'error_page 500 = @embeddings_failed;',
    ...errorPages(),
  )}
location @embeddings_failed {
  default_type application/json;
  return 400 '${embeddingsFailed.trim()}';
}`;
}

/** Paths where Open WebUI 0.12 changes its settings (routers and events.py, `Config.upsert`). */
const settingsPaths = [
  'api/v1/configs/',
  'api/v1/auths/admin/config',
  'api/v1/users/default/permissions',
  'api/v1/(?:audio|images|retrieval|tasks)/config/update',
  'api/v1/retrieval/embedding/update',
  'api/v1/(?:chats|evaluations)/config/?$',
  'api/v1/knowledge/external/connections',
  'api/v1/pipelines/',
  '(?:ollama|openai)/config/update',
  'api/events/webhooks',
];

const settingsAreInSite = errorJson({
  title: {
    en: 'Not saved: the site of this server decides these settings',
    zh: '未保存：此页设置由服务器的站点配置决定',
  },
  type: 'invalid_request_error',
  code: 'settings_in_site',
});

/**
 * Rejects changes of settings. Open WebUI would report success and forget them at its next start
 * (`ENABLE_PERSISTENT_CONFIG`), and until then sign-up could be open and code could run.
 */
function settings(upstream: string): string {
  const refuse = `if ($request_method !~ ^(?:GET|HEAD)$) { return 403 '${settingsAreInSite.trim()}'; }`;
  return proxied(
    `~ ^/(?:${settingsPaths.join('|')})`,
    upstream,
    'default_type application/json;',
    refuse,
  );
}
