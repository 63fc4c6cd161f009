import { LandfallError } from '#contract/errors.ts';
import { isHostAndPort } from '#contract/site/plain-host.ts';
import { proxyUrl } from '#contract/site/urls.ts';
import { isListOfTexts, type ParsedSettings, valueIn } from './settings-text.ts';

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

/** The proxy that an editor uses. */
export interface EditorProxy {
  readonly url: string;
  /** Entries of http.noProxy, or of NO_PROXY if it is empty. */
  readonly exempt: readonly string[];
  readonly warnings: readonly CheckWarning[];
}

interface CheckWarning {
  readonly kind: 'socks' | 'no-proxy-entry' | 'no-verification';
  readonly text: string;
}

/**
 * Reads the proxy of an editor from its settings.
 * @throws LandfallError CONFIG_INVALID if there is none, or the editor ignores it
 */
export function readProxy(
  settings: ParsedSettings,
  path: string,
  env: NodeJS.ProcessEnv,
): EditorProxy {
  const value = (key: string) => valueIn(settings, key);
  const url = value('http.proxy');
  if (typeof url !== 'string' || url === '') throw ignored(path, 'http.proxy is not set');
  if (value('http.proxySupport') === 'off') {
    throw ignored(path, 'http.proxySupport is "off", so extensions ignore http.proxy');
  }
  if (!/^(?:https?|socks[45]?[ah]?):\/\//i.test(url) || !URL.canParse(url)) {
    throw ignored(path, 'http.proxy is not a URL such as http://10.0.0.2:7890, so it is ignored');
  }
  const own = value('http.noProxy');
  const listed = isListOfTexts(own) ? own : [];
  const exempt = listed.length > 0 ? listed : fromEnvironment(env);
  return { url, exempt, warnings: warningsOf(url, listed, value('http.proxyStrictSSL')) };
}

function fromEnvironment(env: NodeJS.ProcessEnv): string[] {
  const text = env.no_proxy || env.NO_PROXY || '';
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function warningsOf(url: string, exempt: readonly string[], strict: unknown): CheckWarning[] {
  const warnings: CheckWarning[] = [];
  if (url.startsWith('socks')) {
    const text =
      'Installing extensions ignores a SOCKS proxy. Use the HTTP port of the proxy in http.proxy.';
    warnings.push({ kind: 'socks', text });
  }
  for (const entry of uselessEntries(exempt)) {
    const text = `The editor ignores ${entry} in http.noProxy: it supports no ranges and no *.example.com.`;
    warnings.push({ kind: 'no-proxy-entry', text });
  }
  if (strict === false) {
    const text =
      'http.proxyStrictSSL is false, so the editor does not verify certificates. Remove it.';
    warnings.push({ kind: 'no-verification', text });
  }
  return warnings;
}

function ignored(path: string, why: string): LandfallError {
  return new LandfallError('CONFIG_INVALID', `the editor uses no proxy: ${why} in ${path}`, {
    hint: 'Run `landfall editor configure --proxy http://host:port`.',
  });
}

/**
 * Returns whether an exemption of VS Code matches a host. Its rules differ from those of most
 * programs: an entry matches the end of the name, `*` everything, and ranges and `*.x` nothing.
 */
export function isExemptInEditor(host: string, port: string, entries: readonly string[]): boolean {
  const name = host.toLowerCase();
  return entries.some((given) => {
    const entry = given.trim().toLowerCase();
    if (entry === '*') return true;
    const [suffix = '', only] = entry.split(':');
    if (suffix === '' || (only !== undefined && only !== port)) return false;
    return suffix.startsWith('.')
      ? name.endsWith(suffix) || name === suffix.slice(1)
      : name === suffix || name.endsWith(`.${suffix}`);
  });
}

/** Returns the entries that VS Code never matches. */
export function uselessEntries(entries: readonly string[]): string[] {
  return entries.filter((entry) => entry.includes('/') || /^\*./.test(entry.trim()));
}

/** Returns whether a text is a host name or address, with or without a port, and nothing else. */
export function isHostName(text: string): boolean {
  return !/[/?#@\\]/.test(text) && isHostAndPort(text);
}
