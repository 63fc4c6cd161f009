import { withPort } from '#contract/site/route.ts';

/** A proxy for the programs of a user. */
export interface ShellProxy {
  /** Scheme http, https, socks5 or socks5h; may contain a login. */
  readonly url: string;
  /** The value of NO_PROXY. */
  readonly noProxy: string;
}

const forHttp = ['http_proxy', 'https_proxy'];
const forSocks = ['all_proxy'];
const exemptions = ['no_proxy'];

/** The names of all variables, in lower and upper case, because programs differ in which they read. */
export const variableNames = [...forHttp, ...exemptions, ...forSocks].flatMap(bothCases);

/**
 * Returns the variables of SPEC 2.2, in both cases. A SOCKS5 proxy is `all_proxy` only: many programs
 * treat the value of `http_proxy` as an HTTP proxy, whatever its scheme. Its names are resolved at the
 * proxy.
 */
export function proxyVariables({ url, noProxy }: ShellProxy): Readonly<Record<string, string>> {
  const isSocks = /^socks5h?:/.test(url);
  const value = withPort(url).replace(/^socks5:/, 'socks5h:');
  const names = (isSocks ? forSocks : forHttp).flatMap(bothCases);
  return Object.fromEntries([
    ...names.map((name) => [name, value]),
    ...exemptions.flatMap(bothCases).map((name) => [name, noProxy]),
  ]);
}

function bothCases(name: string): string[] {
  return [name, name.toUpperCase()];
}

/** Formats the URL of a proxy for display: without its password, and without a user that has none. */
export function maskedUrl(text: string): string {
  const { protocol, username, password, host } = new URL(text);
  const login = password === '' ? username && '***@' : `${username}:***@`;
  return `${protocol}//${login}${host}`;
}
