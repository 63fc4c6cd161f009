import { LandfallError } from '#contract/errors.ts';
import { proxyUrl } from '#contract/site/urls.ts';
import { type ProxyChoice, withPassword } from '#probe/choose-proxy.ts';
import { type EditorSettings, valueIn } from './settings-file.ts';

const hint = 'Use the HTTP port of the proxy, such as http://10.0.0.2:7890.';

/**
 * Returns the URL of a proxy for the settings of an editor, with its login: HTTP only, because parts
 * of the editors ignore SOCKS proxies and values without a scheme.
 * @param option value of `--proxy`; default: HTTPS_PROXY
 * @throws LandfallError USAGE
 */
export async function editorProxy(
  option: string | undefined,
  { env, askPassword }: Pick<ProxyChoice, 'env' | 'askPassword'>,
): Promise<string> {
  const text = option ?? (env.HTTPS_PROXY || env.https_proxy || '');
  if (text === '') {
    throw new LandfallError('USAGE', 'the proxy is unknown: HTTPS_PROXY is not set', {
      hint: 'Add the proxy, for example --proxy http://10.0.0.2:7890',
    });
  }
  // Errors have no login.
  const parsed = proxyUrl.safeParse(text.replace(/\/\/[^/?#]*@/, '//'));
  if (!parsed.success) {
    const reason = /^socks/i.test(text)
      ? 'has a scheme that editors ignore when they install extensions'
      : parsed.error.issues[0]?.message;
    throw new LandfallError('USAGE', `the proxy URL is invalid: it ${reason}`, { hint });
  }
  const proxy = option === undefined ? text : await withPassword(option, { env, askPassword });
  return new URL(proxy).href.replace(/\/$/, '');
}

/** Returns whether a URL contains a user or a password. */
export function hasLogin(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text);
}

/** What a user should know about the settings. */
export interface EditorWarning {
  readonly kind: 'socks' | 'no-verification' | 'password';
  readonly text: string;
}

/**
 * Reads the proxy of an editor from its settings.
 * @throws LandfallError CONFIG_INVALID if there is none, or the editor ignores it
 */
export function readProxy(settings: Pick<EditorSettings, 'entries' | 'path'>): {
  readonly url: string;
  readonly warnings: readonly EditorWarning[];
} {
  const url = valueIn(settings, 'http.proxy');
  if (typeof url !== 'string' || url === '') throw ignored(settings, 'http.proxy is not set');
  if (valueIn(settings, 'http.proxySupport') === 'off') {
    throw ignored(settings, 'http.proxySupport is "off", so extensions ignore http.proxy');
  }
  if (!/^(?:https?|socks[45]?[ah]?):\/\//i.test(url) || !URL.canParse(url)) {
    throw ignored(settings, 'http.proxy is not a URL such as http://10.0.0.2:7890');
  }
  const warnings: EditorWarning[] = [];
  if (url.startsWith('socks')) {
    const text =
      'Installing extensions ignores a SOCKS proxy. Use the HTTP port of the proxy in http.proxy.';
    warnings.push({ kind: 'socks', text });
  }
  if (valueIn(settings, 'http.proxyStrictSSL') === false) {
    const text =
      'http.proxyStrictSSL is false, so the editor does not verify certificates. Remove it.';
    warnings.push({ kind: 'no-verification', text });
  }
  return { url, warnings };
}

function ignored({ path }: Pick<EditorSettings, 'path'>, why: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', `the editor uses no proxy: ${why} in ${path}`, {
    hint: 'Run `landfall editor configure --proxy http://host:port`.',
  });
}
