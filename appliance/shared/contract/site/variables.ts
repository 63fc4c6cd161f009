import type { Site } from './site.ts';
import { exemptionsIn } from './urls.ts';

/**
 * Maps the variables of the specification to settings (SPEC 2.2, 2.5), so that other code handles
 * settings only. Settings of the site have priority; contradictions are rejected earlier.
 */
export function applyVariables(site: Site): Site {
  const { variables } = site;
  const keep = variables.OLLAMA_KEEP_ALIVE;
  return {
    ...site,
    route: routeOf(site),
    providers: { ...providersOf(site), ...site.providers },
    tinyproxy: {
      ...site.tinyproxy,
      ...(site.tinyproxy.username === undefined && variables.TINYPROXY_USERNAME
        ? { username: variables.TINYPROXY_USERNAME }
        : {}),
      ...(site.tinyproxy.allow.length === 0 && variables.TINYPROXY_ALLOW
        ? { allow: [variables.TINYPROXY_ALLOW] }
        : {}),
    },
    variables: keep === undefined ? {} : { OLLAMA_KEEP_ALIVE: keep },
  };
}

/** The providers of the two front-ends are named `provider` and `second-provider`. */
function providersOf({ variables }: Site): Site['providers'] {
  const first = variables.PROVIDER_BASE_URL ?? variables.PROVIDER_PROXY_URL;
  const second = variables.SECOND_PROVIDER_BASE_URL;
  return {
    ...(first ? { provider: { base_url: first } } : {}),
    ...(second ? { 'second-provider': { base_url: second } } : {}),
  };
}

/** Returns the proxy variables in upper or lower case: programs differ in which one they use. */
export function routeVariables(variables: Site['variables']) {
  const { http_proxy, https_proxy, no_proxy } = variables;
  return {
    HTTP_PROXY: variables.HTTP_PROXY ?? http_proxy,
    HTTPS_PROXY: variables.HTTPS_PROXY ?? https_proxy,
    NO_PROXY: variables.NO_PROXY ?? no_proxy,
  };
}

function routeOf({ route, variables }: Site): Site['route'] {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY = '' } = routeVariables(variables);
  const url = HTTPS_PROXY ?? HTTP_PROXY;
  if (route.mode !== 'direct' || url === undefined) return route;
  return { mode: 'http-proxy', url, no_proxy: exemptionsIn(NO_PROXY) };
}
