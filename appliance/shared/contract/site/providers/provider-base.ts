import { knownProviders } from '../../known-providers.ts';
import { inLanguage, type Text } from '../../text/language.ts';

/** Endpoints of the APIs at the end of a path. Users often paste the URL of an endpoint. */
const endpoint =
  /\/(?:chat\/completions|completions|responses|embeddings|models|messages|images\/generations)\/?$/;

/** Hosts whose API has no path in front of its endpoints. */
const withoutPath = new Set(['api.perplexity.ai']);

/** Returns the path of an API whose URL has none. */
function defaultPath({ hostname }: URL): string {
  return withoutPath.has(hostname) ? '' : '/v1';
}

/**
 * Returns what is wrong with a provider's base URL; undefined if nothing is. The relay appends only
 * endpoints, so the base has every other part of the path: `/v1`, `/api/paas/v4`, `/api/v3`.
 */
export function baseFlaw(url: string): 'no-path' | 'endpoint' | 'incomplete' | undefined {
  const { pathname } = new URL(url);
  if (endpoint.test(pathname)) return 'endpoint';
  if (pathname === '/' && defaultPath(new URL(url)) !== '') return 'no-path';
  return knownBase(url) === undefined ? undefined : 'incomplete';
}

/** Describes a flaw of a base URL, after the name of its field. */
export function describeBaseFlaw(flaw: NonNullable<ReturnType<typeof baseFlaw>>): Text {
  return {
    'no-path': { en: 'has no path, such as /v1', zh: '没有路径，例如 /v1' },
    endpoint: { en: 'is the URL of an endpoint', zh: '是某个接口的地址' },
    incomplete: {
      en: 'is not the base URL of this provider',
      zh: '不是这个模型服务商的基础地址',
    },
  }[flaw];
}

/** Returns advice with the current base URL, without account and query, and a correct one. */
export function adviseBase(url: string): string {
  const { origin, pathname } = new URL(url);
  const folder = pathname.replace(endpoint, '').replace(/\/+$/, '');
  const base = knownBase(url) ?? `${origin}${folder === '' ? defaultPath(new URL(url)) : folder}`;
  return inLanguage({
    en: `Set ${base} instead of ${origin}${pathname} if the provider's API is there.`,
    zh: `如果模型服务商的 API 在 ${base}，请用它代替 ${origin}${pathname}。`,
  });
}

/** Returns the base URL of a known provider whose host this is, if the path is only its beginning. */
function knownBase(url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  const folder = `${origin}${pathname.replace(endpoint, '').replace(/\/+$/, '')}`;
  return Object.values(knownProviders).find((base) => base.startsWith(`${folder}/`));
}

/** Returns the URL of a provider's list of models: of its base URL, or of a bare host. */
export function modelListOf(url: URL): URL {
  const list = new URL(url);
  const path = list.pathname.replace(/\/+$/, '');
  if (path.endsWith('/models')) list.pathname = path;
  else {
    const base = knownBase(list.href) ?? `${list.origin}${path || defaultPath(list)}`;
    list.pathname = `${new URL(base).pathname.replace(/\/$/, '')}/models`;
  }
  return list;
}
