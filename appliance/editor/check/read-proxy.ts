import { LandfallError } from '#contract/errors.ts';
import { lastEntry, type ParsedSettings } from '../jsonc/parse-settings.ts';
import { isListOfTexts } from '../wanted-settings.ts';
import { uselessEntries } from './no-proxy.ts';

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
  const value = (key: string) => lastEntry(settings, key)?.value;
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
