import { compact, type Draft, splitPath } from '../model/draft.ts';
import type { Fields } from '../source/fields.ts';
import { usualPluginHost } from '../source/plugin.ts';
import { hostOr } from './transport.ts';

/** Reads the plugin of a Shadowsocks proxy. */
export function clashPlugin(fields: Fields): Draft | undefined {
  const plugin = fields.choice('plugin', ['obfs', 'v2ray-plugin']);
  if (plugin === undefined) {
    fields.leaveOut(['plugin-opts'], 'has no effect without plugin');
    return undefined;
  }
  const inner = fields.section('plugin-opts');
  const read = plugin === 'obfs' ? obfs(inner) : v2ray(inner);
  inner?.end();
  return compact({ type: plugin, ...read });
}

function obfs(inner: Fields | undefined): Draft {
  return {
    mode: inner?.choice('mode', ['http', 'tls']) ?? 'http',
    host: hostOr(inner, 'host', usualPluginHost),
  };
}

function v2ray(inner: Fields | undefined): Draft {
  inner?.choice('mode', ['websocket']);
  const refused = ['skip-cert-verify', 'fingerprint', 'certificate', 'private-key', 'ech-opts'];
  const upgrades = ['v2ray-http-upgrade', 'v2ray-http-upgrade-fast-open', 'headers'];
  for (const key of [...refused, ...upgrades]) inner?.refuse(key);
  return {
    tls: inner?.flag('tls') ?? false,
    host: hostOr(inner, 'host', usualPluginHost),
    path: splitPath(inner?.text('path')).path,
    mux: inner?.flag('mux') ?? true,
  };
}
