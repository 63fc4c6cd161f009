import { compact, type Draft, plainHost, splitPath } from '../model/draft.ts';
import type { Fields } from './fields.ts';

/** The host that plugins use if none is set. */
export const usualPluginHost = 'bing.com';

const plugins: Readonly<Record<string, 'obfs' | 'v2ray-plugin'>> = {
  obfs: 'obfs',
  'obfs-local': 'obfs',
  'simple-obfs': 'obfs',
  'v2ray-plugin': 'v2ray-plugin',
};

const allowed = 'Allowed: obfs-local, v2ray-plugin.';
const options = {
  obfs: ['obfs', 'obfs-host', 'obfs-uri'],
  'v2ray-plugin': ['mode', 'tls', 'host', 'path', 'mux'],
} as const;

/** Reads a plugin with options of SIP003: `obfs=http;obfs-host=example.com`. */
export function parsePluginOptions(
  fields: Fields,
  key: string,
  name: string,
  text: string,
): Draft | undefined {
  const type = plugins[name];
  if (type === undefined) return fields.problem(key, 'unknown plugin', allowed);
  const values = new Map<string, string>();
  for (const [option, value] of splitOptions(text)) {
    if (!options[type].some((each) => each === option)) {
      const hint = `Allowed: ${options[type].join(', ')}.`;
      fields.problem(key, 'unknown option of the plugin', hint);
      return undefined;
    }
    values.set(option, value);
  }
  return type === 'obfs' ? obfs(fields, key, values) : v2ray(fields, key, values);
}

/** Splits options of SIP003, in which a backslash precedes a literal `;`, `=` or backslash. */
function splitOptions(text: string): [option: string, value: string][] {
  const parts = text.match(/(?:[^;\\]|\\[\s\S]|\\$)+/g) ?? [];
  return parts.map((part) => {
    const [, option = '', value] = /^((?:[^=\\]|\\[\s\S]|\\$)*)(?:=([\s\S]*))?$/.exec(part) ?? [];
    return [unescaped(option), unescaped(value ?? '') || 'true'];
  });
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}

/** Escapes a value of an option of SIP003. */
export function escapedOption(text: string): string {
  return text.replace(/[\\;=]/g, '\\$&');
}

function obfs(fields: Fields, key: string, values: ReadonlyMap<string, string>): Draft | undefined {
  const mode = values.get('obfs') ?? 'http';
  if (!/^(?:http|tls)$/.test(mode)) return fields.problem(key, 'obfs must be http or tls');
  if (!/^\/?$/.test(values.get('obfs-uri') ?? '')) fields.flaw(key, 'obfs-uri is not supported');
  return { type: 'obfs', mode, host: plainHost(values.get('obfs-host') ?? usualPluginHost) };
}

function v2ray(
  fields: Fields,
  key: string,
  values: ReadonlyMap<string, string>,
): Draft | undefined {
  const mode = values.get('mode') ?? 'websocket';
  if (mode !== 'websocket') return fields.problem(key, 'mode must be websocket');
  const mux = values.get('mux') ?? '1';
  if (!/^(?:\d{1,3}|true|false)$/.test(mux)) return fields.problem(key, 'mux must be a number');
  return compact({
    type: 'v2ray-plugin',
    tls: /^(?:true|1)$/.test(values.get('tls') ?? 'false'),
    host: plainHost(values.get('host') ?? usualPluginHost),
    path: splitPath(values.get('path')).path,
    mux: mux !== '0' && mux !== 'false',
  });
}
