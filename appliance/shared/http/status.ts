import type { Text } from '#contract/text/language.ts';
import type { HttpResponse } from './message.ts';
import { safeUrl } from './safe-url.ts';
import { TransferError } from './transfer-error.ts';

/** Statuses that indicate a temporary failure. */
export const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Returns the error of a final status: REGISTRY_RATE_LIMIT for 429, else HTTP_STATUS, with `status`
 * and, if the server sent it, `retryAfterMs`. Does not read the body.
 */
export function statusError(response: HttpResponse, what: string): TransferError {
  const { status } = response;
  const code = status === 429 ? 'REGISTRY_RATE_LIMIT' : 'HTTP_STATUS';
  const message = `${what} failed: ${safeUrl(response.url)} responded with status ${status}`;
  return new TransferError(code, message, {
    hint: hintFor(status),
    transient: transientStatuses.has(status),
    status,
    retryAfterMs: readRetryAfter(response.header('retry-after')),
  });
}

function hintFor(status: number): Text {
  if (status === 429) return hints.limit;
  if (status === 401 || status === 403) return hints.access;
  if (status === 404 || status === 410) return hints.name;
  if (status === 407) return hints.proxy;
  return status >= 500 ? hints.later : hints.url;
}

const hints = {
  limit: {
    en: 'Try again later, log in for a higher rate limit, or configure a mirror.',
    zh: '稍后再试，登录以提高限额，或设置镜像源。',
  },
  access: {
    en: 'Check that the credentials allow read access.',
    zh: '检查登录信息是否有读取权限。',
  },
  name: {
    en: 'Check the name; the content may have been removed.',
    zh: '检查名称；内容可能已被删除。',
  },
  proxy: {
    en: 'Set user name and password in the proxy URL.',
    zh: '在代理地址中写上用户名和密码。',
  },
  later: {
    en: 'Try again later, or configure a mirror.',
    zh: '稍后再试，或设置镜像源。',
  },
  url: { en: 'Check the URL.', zh: '检查地址。' },
};

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a Retry-After header (RFC 9110, section 10.2.3: seconds or an HTTP date). Returns
 * milliseconds, 0 for a date in the past, undefined for an invalid value.
 */
export function readRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
