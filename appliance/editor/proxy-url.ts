import { LandfallError } from '#contract/errors.ts';
import { proxyUrl } from '#contract/site/urls.ts';

/** User and password of a proxy. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

const hint = 'Use the HTTP port of the proxy, such as http://10.0.0.2:7890.';

/**
 * Returns the URL of a proxy for the settings of an editor, with a login.
 * @param text an HTTP proxy: parts of the editors ignore SOCKS proxies and values without a scheme
 * @throws LandfallError USAGE for another URL
 */
export function editorProxy(text: string, login?: Login): string {
  if (/^socks/i.test(text)) {
    const why = 'editors install extensions without a SOCKS proxy';
    throw new LandfallError('USAGE', `the proxy URL is invalid: ${why}`, { hint });
  }
  const parsed = proxyUrl.safeParse(text);
  if (!parsed.success) {
    // Without the value, which can contain a password.
    const reason = parsed.error.issues[0]?.message ?? 'is not valid';
    throw new LandfallError('USAGE', `the proxy URL is invalid: it ${reason}`, { hint });
  }
  const url = new URL(text);
  if (login) {
    url.username = encodeURIComponent(login.user);
    url.password = encodeURIComponent(login.password);
  }
  return url.href.replace(/\/$/, '');
}

/** Returns whether a URL contains a user or a password. */
export function hasLogin(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text);
}

/** Formats a proxy URL for display: the password is replaced. */
export function maskedProxy(text: string): string {
  return text.replace(/^([^/]*\/\/[^:/?#]*):.*@/, '$1:***@');
}
