import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { localProxy, tinyproxyUpstream } from '#proxy-settings/local-proxy.ts';
import { groupId } from '../../../server/host/account.ts';
import { denialsOf, describeDenial } from '../../../server/host/apparmor.ts';
import type { Host } from '../../../server/host/host.ts';
import { hasText, isActive, type Service, unitFileOf } from '../../../server/host/service.ts';
import { type Measure, serviceMeasure } from '../../../server/stage/measure.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { hardenedService } from '../hardened-service.ts';

const address = `${localProxy.host}:${localProxy.port}`;

/** Returns the HTTP proxy of a SOCKS5 route. apt must already use the route. */
export async function localProxyService({
  host,
  site: { route },
}: Pick<Context, 'host' | 'site'>): Promise<Service> {
  const units = [{ name: localProxyUnit, restart: 'always' }] as const;
  const rest = [
    { path: unitFileOf(localProxyUnit), text: renderLocalProxyUnit() },
    { path: formerFile, text: undefined },
  ];
  if (route.mode !== 'socks5') {
    const isOurs = await hasText(host, localProxyFile, isMade);
    const settings = isOurs ? [{ path: localProxyFile, text: undefined }] : [];
    return { files: [...settings, ...rest], units, unwanted: removed };
  }
  const settings = {
    path: localProxyFile,
    text: renderLocalProxy(route.url),
    verify: refuseOthers,
  };
  return {
    // The program without the service of the package tinyproxy, which would listen on all addresses.
    packages: ['tinyproxy-bin'],
    files: [{ ...settings, mode: 0o640, gid: await groupId(host, group) }, ...rest],
    units,
    summary: { en: `start an HTTP proxy at ${address}`, zh: `在 ${address} 启动 HTTP 代理` },
  };
}

const removed = { en: 'remove the local HTTP proxy', zh: '删除本机的 HTTP 代理' };

/** Installs the HTTP proxy of a SOCKS5 route, or removes it. */
export const localProxyMeasure: Measure = serviceMeasure(localProxyService, prove);

async function prove({ host, site }: Context): Promise<void> {
  if (site.route.mode !== 'socks5' || (await isActive(host, localProxyUnit))) return;
  throw new LandfallError('ROUTE_BLOCKED', `the HTTP proxy at ${address} is not running`, {
    hint: {
      en: `Check: sudo journalctl -u ${localProxyUnit}. Another program may use the port.`,
      zh: `检查：sudo journalctl -u ${localProxyUnit}。端口可能被其他程序占用。`,
    },
    problems: (await denialsOf(host))
      .filter(({ profile }) => profile === 'tinyproxy')
      .map((denial) => ({ message: inLanguage(describeDenial(denial)) })),
  });
}

export const localProxyUnit = 'landfall-local-proxy.service';
/**
 * The only settings that the AppArmor profile of Ubuntu lets tinyproxy read. Contains the login of the
 * SOCKS5 proxy, so only root and the group of the unit can read it.
 */
export const localProxyFile = 'etc/tinyproxy/tinyproxy.conf';
/** Earlier releases had the settings here. */
const formerFile = 'etc/landfall/local-proxy.conf';
/** Debian and Ubuntu always have it (base-passwd). */
const group = 'proxy';

const firstLine = '# Made by Landfall: an HTTP proxy in front of the SOCKS5 proxy of the site.\n';

function isMade(text: string): boolean {
  return text.startsWith(firstLine);
}

/** @throws LandfallError ROUTE_BLOCKED if the package tinyproxy or the administrator has made the file */
async function refuseOthers(host: Host): Promise<void> {
  if (!(await hasText(host, localProxyFile, (text) => !isMade(text)))) return;
  throw new LandfallError('ROUTE_BLOCKED', `another tinyproxy uses /${localProxyFile}`, {
    hint: 'Remove it with `sudo apt-get purge tinyproxy`, or set another route.',
    retriable: false,
  });
}

/**
 * Renders tinyproxy's settings. It listens on loopback only. Every request goes to the SOCKS5 proxy,
 * with its name unresolved, so a client cannot reach a service of this server through it. Any port is
 * allowed, because Node sends CONNECT for plain HTTP too.
 */
function renderLocalProxy(socks: string): string {
  return `${firstLine}Port ${localProxy.port}
Listen ${localProxy.host}
Allow ${localProxy.host}
Timeout 600
MaxClients 200
LogLevel Warning
DisableViaHeader Yes
${tinyproxyUpstream(socks)}
`;
}

/** Renders the unit: a dynamic user, which can read the settings and write nothing. */
function renderLocalProxyUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: HTTP proxy in front of the SOCKS5 proxy
After=network.target
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=/usr/bin/tinyproxy -d -c /${localProxyFile}
Restart=always
RestartSec=2
DynamicUser=yes
SupplementaryGroups=${group}
${hardenedService('AF_UNIX AF_INET AF_INET6')}

[Install]
WantedBy=multi-user.target
`;
}
