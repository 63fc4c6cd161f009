import { LandfallError } from '#contract/errors.ts';
import type { Editor, SettingValue } from './editors.ts';
import { isHostName } from './host-name.ts';
import { lastEntry, type ParsedSettings } from './jsonc/parse-settings.ts';

/** What the user wants to configure. */
export interface Wanted {
  readonly editor: Editor;
  /** URL of the proxy, with its login. */
  readonly proxy: string;
  /** Hosts that the editor reaches without the proxy. */
  readonly noProxy: readonly string[];
  /** Whether certificates of the proxy are verified. */
  readonly strictSsl: boolean;
}

export type Settings = ReadonlyArray<readonly [key: string, value: SettingValue]>;

/**
 * Returns the settings to write, in file order. Adds hosts to an existing `http.noProxy`.
 * @throws LandfallError USAGE for a host that editors do not match, CONFIG_INVALID
 */
export function wantedSettings(
  { editor, proxy, noProxy, strictSsl }: Wanted,
  current: ParsedSettings,
): Settings {
  for (const host of noProxy) refusePattern(host);
  const support = lastEntry(current, 'http.proxySupport');
  const known = lastEntry(current, 'http.noProxy')?.value ?? [];
  if (noProxy.length > 0 && !isListOfTexts(known)) throw notAList();
  const exempt = isListOfTexts(known) ? [...new Set([...known, ...noProxy])] : [];
  const list: Array<readonly [string, SettingValue]> = [['http.proxy', proxy]];
  // The default of the editors. Other values leave requests of extensions without the proxy.
  if (support !== undefined) list.push(['http.proxySupport', 'override']);
  if (noProxy.length > 0) list.push(['http.noProxy', exempt]);
  if (!strictSsl) list.push(['http.proxyStrictSSL', false]);
  if (editor.kind === 'desktop') list.push(['window.titleBarStyle', 'custom']);
  return [...list, ...Object.entries(editor.ownSettings)];
}

/** Formats a value as in settings that a person writes. */
export function jsonOf(value: SettingValue): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
}

export function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** VS Code compares names and their ends; it has no ranges and no other patterns. */
function refusePattern(host: string): void {
  if (isHostName(host.replace(/^\./, ''))) return;
  throw new LandfallError('USAGE', `--direct ${host} is not a host name`, {
    hint: 'Use a host name, an address or a domain such as .example.com; editors ignore ranges and *.example.com.',
  });
}

function notAList(): LandfallError {
  return new LandfallError('CONFIG_INVALID', 'http.noProxy in the settings is not a list', {
    hint: 'Change it to a list of host names in the editor.',
  });
}
