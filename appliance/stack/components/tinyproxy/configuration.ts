import { hostAndPort } from '#contract/site/proxy-port.ts';
import type { Route } from '#contract/site/site.ts';
import { plainFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { connectPorts, renderFilter } from './filter.ts';

/** Docker's networks, from which everything arrives that came to the port on loopback. */
const tunnelClients = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];

/**
 * tinyproxy's settings (tinyproxy.conf(5)): TLS ports and plain HTTP only, a list of places, credentials unless
 * the site says that it wants none.
 */
export function renderTinyproxy({ site, secrets }: StackInput): RenderedFile[] {
  const { allow, open, username } = site.tinyproxy;
  const user = username || (secrets.TINYPROXY_USERNAME ?? '');
  const lines = [
    '# Made by landfall for this site. Changes here are overwritten; change the site instead.',
    'Port 8888',
    'Timeout 600',
    'MaxClients 100',
    'LogLevel Connect',
    'DisableViaHeader Yes',
    // Without these lines CONNECT would go to any port.
    ...connectPorts.map((port) => `ConnectPort ${port}`),
    // The URL and not the host alone: every method but CONNECT would go to any port.
    'Filter "/etc/tinyproxy/filter"',
    'FilterURLs On',
    'FilterType ere',
    'FilterCaseSensitive Off',
    'FilterDefaultDeny Yes',
    // Any Allow line shuts out everybody else; the first one is for the health check.
    'Allow 127.0.0.1',
    ...(allow.length > 0 ? allow : tunnelClients).map((range) => `Allow ${range}`),
    ...upstream(site.route),
    ...(open ? [] : [`BasicAuth ${user} ${secrets.TINYPROXY_PASSWORD ?? ''}`]),
  ];
  return [
    secretFile('tinyproxy/tinyproxy.conf', `${lines.join('\n')}\n`, 'tinyproxy'),
    plainFile('tinyproxy/filter', renderFilter(site)),
  ];
}

/** What the proxy fetches leaves the server as everything else does. */
function upstream(route: Route): string[] {
  if (route.mode === 'direct') return [];
  const url = new URL(route.url);
  const { protocol, username, password } = url;
  const kind = protocol.startsWith('socks5') ? 'socks5' : 'http';
  const account = username
    ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}@`
    : '';
  return [`Upstream ${kind} ${account}${hostAndPort(url)}`];
}
