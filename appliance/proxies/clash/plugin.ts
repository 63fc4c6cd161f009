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
  for (const key of ['fingerprint', 'certificate', 'private-key', 'v2ray-http-upgrade']) {
    inner?.refuse(key);
  }
  // The plugin of sing-box always checks the certificate.
  for (const key of ['skip-cert-verify', 'ech-opts', 'headers']) inner?.ignore(key);
  inner?.ignore('v2ray-http-upgrade-fast-open');
  return {
    tls: inner?.flag('tls') ?? false,
    host: hostOr(inner, 'host', usualPluginHost),
    path: splitPath(inner?.text('path')).path,
    mux: inner?.flag('mux') ?? true,
  };
}
