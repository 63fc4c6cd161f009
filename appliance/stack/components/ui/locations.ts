import { addressInStack } from '../../address-in-stack.ts';
import { asked, policy, proxied, withUpgrade } from '../../gateway/directives.ts';
import { errorJson } from '../../gateway/gateway-errors.ts';

/** Returns the locations of Open WebUI. */
export function uiLocations(scheme: string): string {
  const upstream = addressInStack('ui');
  // Requests from pages of other sites are not counted for bans, so they must not reach the sign-in.
  const own = 'if ($is_own_page = 0) { return 403; }';
  const accounts = 'limit_req zone=accounts burst=20 nodelay;';
  return [
    policy("frame-ancestors 'none'"),
    asked(scheme, withUpgrade),
    proxied('/', upstream),
    proxied('/api/v1/auths/', upstream, own, accounts),
    proxied(
      '/api/v1/auths/signin',
      upstream,
      own,
      accounts,
      'limit_req zone=sign_in burst=2 nodelay;',
    ),
    webPages,
  ].join('\n');
}

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
