import type { HostComponent } from '#contract/component-names.ts';
import type { Site } from '#contract/site/site.ts';
import { maxUpload } from '#contract/sizes/limits.ts';
import type { Text } from '#contract/text/language.ts';
import { contentPolicyFor } from '../../../server/progress/page/assets.ts';
import { pageStyle } from '../pages/page.ts';
import { block, policy, type Security, securityHeaders } from './directives.ts';

/**
 * An error of the gateway itself. Errors of a component are forwarded unchanged. The texts are public, so they
 * contain no names.
 */
interface GatewayError {
  /** Short name, for nginx. */
  readonly name: string;
  readonly statuses: readonly [number, ...number[]];
  /** `type` and `code` in OpenAI's error format. */
  readonly type: 'api_error' | 'invalid_request_error' | 'rate_limit_error';
  readonly code: string;
  /** Title of the page, and text for programs. */
  readonly title: Text;
  readonly advice: readonly Text[];
  /** A command for the administrator, on the page. */
  readonly command?: string;
  /** Value of Retry-After: seconds, or a variable of nginx. */
  readonly retryAfter?: string;
  /** Seconds after which the page is loaded again. */
  readonly refresh?: number;
}

export const gatewayErrors: readonly GatewayError[] = [
  {
    name: 'unavailable',
    statuses: [502, 504],
    type: 'api_error',
    code: 'service_unavailable',
    title: { en: 'This service is not available right now', zh: '服务暂时不可用' },
    advice: [
      {
        en: 'It is probably starting. This page refreshes automatically.',
        zh: '服务可能正在启动。本页会自动刷新。',
      },
      {
        en: 'Does this last longer than five minutes? The administrator can log in over SSH to see the reason:',
        zh: '超过五分钟仍未恢复？管理员可通过 SSH 登录，运行以下命令查看原因：',
      },
    ],
    command: 'landfall status',
    retryAfter: '5',
    refresh: 5,
  },
  {
    name: 'too_large',
    statuses: [413],
    type: 'invalid_request_error',
    code: 'request_too_large',
    title: {
      en: `This upload is too large: the limit is ${maxUpload} MB`,
      zh: `上传内容过大：上限为 ${maxUpload} MB`,
    },
    advice: [
      {
        en: 'Split the file, or attach only the part that you need.',
        zh: '请拆分文件，或只上传需要的部分。',
      },
    ],
  },
  {
    name: 'too_many',
    statuses: [429],
    type: 'rate_limit_error',
    code: 'rate_limited',
    title: {
      en: 'Too many requests or sign-ins from your network: wait a minute, then try again',
      zh: '您所在网络的请求或登录过于频繁：请一分钟后再试',
    },
    advice: [
      {
        en: 'All devices behind one internet address share this limit.',
        zh: '同一公网地址下的所有设备共用这一限额。',
      },
    ],
    retryAfter: '$limit_seconds',
  },
  {
    name: 'updating',
    // No other rule of the gateway has this status.
    statuses: [503],
    type: 'api_error',
    code: 'server_updating',
    title: { en: 'This server is being updated', zh: '服务器正在更新' },
    advice: [
      {
        en: 'It takes a minute or two, and no chat is lost. This page refreshes automatically.',
        zh: '大约需要一两分钟，对话不会丢失。本页会自动刷新。',
      },
      {
        en: 'Does this last longer than half an hour? The administrator can log in over SSH to see the state:',
        zh: '超过半小时仍未恢复？管理员可通过 SSH 登录，运行以下命令查看状态：',
      },
    ],
    command: 'sudo landfall update status',
    retryAfter: '30',
    refresh: 10,
  },
];

/** Renders the page for people. At most 4,000 bytes, because nginx limits the length of a value. */
export function errorPage({ title, advice, command, refresh }: GatewayError): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh === undefined ? '' : `<meta http-equiv="refresh" content="${refresh}">\n`}<title>${title.en} – Landfall</title>
<style>${pageStyle}</style>
<main>
<p class="name">Landfall</p>
<h1>${title.en} <span lang="zh-Hans">${title.zh}</span></h1>
${advice.map(({ en, zh }) => `<p>${en}<br><span lang="zh-Hans">${zh}</span></p>\n`).join('')}${command === undefined ? '' : `<pre><code>${command}</code></pre>\n`}</main>
</html>
`;
}

/**
 * Renders the response for programs. `error` is OpenAI's format, which the clients of the relay parse.
 * Open WebUI shows `detail` to people; without it, an upload or a reply never ends there.
 */
export function errorJson({
  title: { en, zh },
  type,
  code,
}: Pick<GatewayError, 'title' | 'type' | 'code'>): string {
  const error = { message: en, type, param: null, code };
  return `${JSON.stringify({ error, detail: `${en} ${zh}` })}\n`;
}

const formats = { html: 'text/html', json: 'application/json' } as const;

/**
 * Returns the locations for errors of the gateway itself: a component that does not respond, a request
 * that is too large, too many requests. The response keeps its status. Errors of a component are
 * forwarded unchanged. Named locations keep the method and the path of the request, which the log
 * contains.
 */
export function errorLocations(security: Pick<Security, 'hsts'>): string[] {
  return [
    ...errorPages(),
    ...gatewayErrors.flatMap((error) =>
      Object.entries(formats).map(
        ([format, type]) =>
          `location @${error.name}_${format} ${block(response(error, format, type, security))}`,
      ),
    ),
  ];
}

/** Returns the errors of a server. A location with an `error_page` of its own repeats them. */
export function errorPages(): string[] {
  return gatewayErrors.map(
    ({ name, statuses }) => `error_page ${statuses.join(' ')} @${name}_$error_format;`,
  );
}

function response(
  { name, statuses: [status], retryAfter }: GatewayError,
  format: string,
  type: string,
  security: Pick<Security, 'hsts'>,
): string[] {
  return [
    ...securityHeaders(security),
    policy(contentPolicyFor({ style: pageStyle })),
    ...(retryAfter === undefined ? [] : [`add_header Retry-After ${retryAfter} always;`]),
    'add_header Cache-Control no-store always;',
    'add_header Vary Accept always;',
    `default_type ${type};`,
    'charset utf-8;',
    `return ${status} $${name}_${format};`,
  ];
}

/** Renders the variables with the responses. */
export function errorVariables(): string {
  return gatewayErrors
    .flatMap((error) => [
      variable(`${error.name}_html`, errorPage(error)),
      variable(`${error.name}_json`, errorJson(error)),
    ])
    .join('');
}

/** Quotes a text for nginx, which has no escape for `$`. */
function variable(name: string, text: string): string {
  return `map $host $${name} {\n  default '${text.replaceAll(/[\\']/g, String.raw`\$&`)}';\n}\n`;
}

/**
 * Returns the setting for nginx's own log of a component, if it must not be the default: nginx's errors
 * quote the query, in which clients of Gemini's API can send the relay key. The access log has the
 * failed requests too, without their query.
 */
export function errorLogOf(name: HostComponent, { providers }: Pick<Site, 'providers'>): string {
  const hasKeyInQuery =
    name === 'relay' && Object.values(providers).some(({ api }) => api === 'gemini');
  return hasKeyInQuery ? 'error_log /dev/stderr crit;\n' : '';
}
