import { z } from 'zod';
import { pathSchema, plainHost, sentNameSchema, splitPath } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import type { Part, Written } from './protocol.ts';

/** Plugins of Shadowsocks that mihomo and sing-box both contain. */
export const pluginSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('obfs'), mode: z.enum(['http', 'tls']), host: sentNameSchema }),
  z.strictObject({
    type: z.literal('v2ray-plugin'),
    tls: z.boolean(),
    host: sentNameSchema,
    path: pathSchema,
    mux: z.boolean(),
  }),
]);

type Plugin = z.infer<typeof pluginSchema>;

/** The host that plugins use if none is set. */
const defaultHost = 'bing.com';

/** The plugin; sing-box has its options in one text. */
export const plugin: Part<{ readonly plugin?: Plugin | undefined }> = {
  clash: {
    read: (fields) => ({ plugin: readClashPlugin(fields) }),
    write: ({ plugin: { type, ...options } = { type: undefined } }) => {
      const mode = type === 'v2ray-plugin' ? { mode: 'websocket' } : {};
      return { plugin: type, 'plugin-opts': type && { ...mode, ...options } };
    },
  },
  singBox: {
    read: (fields) => {
      const name = fields.text('plugin');
      const options = fields.text('plugin_opts') ?? '';
      return { plugin: name ? readPluginOptions(fields, name, options) : undefined };
    },
    write: ({ plugin }) => ({
      plugin: plugin?.type === 'obfs' ? 'obfs-local' : plugin?.type,
      plugin_opts: plugin && writeOptions(plugin),
    }),
  },
};

/** Reads `plugin` and `plugin-opts` of Clash. */
function readClashPlugin(fields: Fields): Written | undefined {
  const type = fields.choice('plugin', ['obfs', 'v2ray-plugin']);
  if (type === undefined) {
    fields.leaveOut(['plugin-opts'], 'no-effect-without plugin');
    return undefined;
  }
  return fields.within('plugin-opts', (options) => {
    const read = type === 'obfs' ? clashObfs : clashV2ray;
    return { type, host: clashHost(options), ...read(options) };
  });
}

function clashObfs(options: Fields): Written {
  return { mode: options.choice('mode', ['http', 'tls']) ?? 'http' };
}

function clashV2ray(options: Fields): Written {
  options.choice('mode', ['websocket']);
  options.refuse(['fingerprint', 'certificate', 'private-key', 'v2ray-http-upgrade']);
  // The plugin of sing-box always checks the certificate.
  options.ignore(['skip-cert-verify', 'ech-opts', 'headers', 'v2ray-http-upgrade-fast-open']);
  const { path } = splitPath(options.text('path'));
  return { tls: options.flag('tls') ?? false, path, mux: options.flag('mux') ?? true };
}

function clashHost(options: Fields): string {
  const text = options.text('host');
  const host = text === undefined ? undefined : plainHost(text);
  return options.check('host', sentNameSchema, host) ?? defaultHost;
}

const optionNames = {
  obfs: ['obfs', 'obfs-host', 'obfs-uri'],
  'v2ray-plugin': ['mode', 'tls', 'host', 'path', 'mux'],
} as const;

const types: ReadonlyMap<string, Plugin['type']> = new Map([
  ['obfs', 'obfs'],
  ['obfs-local', 'obfs'],
  ['simple-obfs', 'obfs'],
  ['v2ray-plugin', 'v2ray-plugin'],
]);

/** Reads a plugin with options of SIP003, in sing-box and links: `obfs=http;obfs-host=example.com`. */
export function readPluginOptions(fields: Fields, name: string, text: string): Written | undefined {
  const type = types.get(name);
  if (type === undefined)
    return fields.problem('plugin', 'unknown-plugin', 'allowed obfs-local, v2ray-plugin');
  const names: readonly string[] = optionNames[type];
  const values = new Map<string, string>();
  for (const [option, value] of splitOptions(text)) {
    if (!names.includes(option)) {
      return fields.problem('plugin', 'unknown-plugin-option', `allowed ${names.join(', ')}`);
    }
    values.set(option, value);
  }
  return type === 'obfs' ? obfs(fields, values) : v2ray(fields, values);
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

type Options = ReadonlyMap<string, string>;

function obfs(fields: Fields, options: Options): Written | undefined {
  const mode = options.get('obfs') ?? 'http';
  if (!/^(?:http|tls)$/.test(mode)) return fields.problem('plugin', 'obfs-mode');
  if (!/^\/?$/.test(options.get('obfs-uri') ?? '')) fields.flaw('plugin', 'obfs-uri');
  return { type: 'obfs', mode, host: plainHost(options.get('obfs-host') ?? defaultHost) };
}

function v2ray(fields: Fields, options: Options): Written | undefined {
  const mode = options.get('mode') ?? 'websocket';
  if (mode !== 'websocket') return fields.problem('plugin', 'websocket-mode');
  const mux = options.get('mux') ?? '1';
  if (!/^(?:\d{1,3}|true|false)$/.test(mux)) return fields.problem('plugin', 'mux-number');
  return {
    type: 'v2ray-plugin',
    tls: /^(?:true|1)$/.test(options.get('tls') ?? 'false'),
    host: plainHost(options.get('host') ?? defaultHost),
    path: splitPath(options.get('path')).path,
    mux: mux !== '0' && mux !== 'false',
  };
}

/** Returns `plugin_opts` of sing-box. */
function writeOptions(plugin: Plugin): string {
  const escaped = (value: string) => value.replace(/[\\;=]/g, '\\$&');
  const host = escaped(plugin.host);
  if (plugin.type === 'obfs') return `obfs=${plugin.mode};obfs-host=${host}`;
  const tls = plugin.tls ? ';tls' : '';
  const path = escaped(plugin.path);
  return `mode=websocket${tls};host=${host};path=${path};mux=${plugin.mux ? 1 : 0}`;
}
