import { addressesOf } from '#contract/site/network/dns.ts';
import type { Opening } from '#contract/site/opening.ts';
import type { Site } from '#contract/site/site.ts';
import { ipVersion } from '#platform/ip.ts';
import { readText } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import { isPrivate } from '../../../server/host/private-ranges.ts';
import type { Service } from '../../../server/host/service.ts';
import { clientProgram } from '../client/render.ts';
import { renderFlushDropIn } from '../hardened-service.ts';
import { capture } from './names.ts';
import {
  renderCandidateOverlay,
  renderCaptureTable,
  renderOff,
  renderOn,
  renderOverlay,
} from './render.ts';

/** All files of a capture. None contains a secret. The unit is the last one: it needs the others. */
export const captureFiles = [
  capture.tableFile,
  capture.overlay('active'),
  capture.overlay('candidate'),
  capture.offScript,
  capture.onScript,
  capture.nftablesDropIn,
  capture.networkdDropIn,
  capture.clientDropIn,
  capture.unitFile,
] as const;

/** The files of a capture, whatever their text: what tells whether a server captures connections. */
export const anyCapture = {
  files: captureFiles.map((path) => ({ path, text: (current: string | undefined) => current })),
  units: [{ name: capture.unit }],
  unwanted: { en: 'stop to capture connections', zh: '停止接管连接' },
} satisfies Service;

/** Returns the files and the unit of a capture. */
export async function captureService(
  host: Host,
  site: Pick<Site, 'dns'>,
  openings: readonly Opening[],
): Promise<Service> {
  const resolvers = await clientResolvers(host, site);
  // Of new interfaces: a TUN interface without IPv6 rejects such an address. The kernel may lack the file.
  const disabled = await readText(host, 'proc/sys/net/ipv6/conf/default/disable_ipv6');
  const hasIPv6 = disabled?.trim() === '0';
  const texts: Readonly<Record<(typeof captureFiles)[number], string>> = {
    [capture.tableFile]: renderCaptureTable(true),
    [capture.overlay('active')]: renderOverlay({ ...resolvers, hasIPv6 }),
    [capture.overlay('candidate')]: renderCandidateOverlay(resolvers),
    [capture.offScript]: renderOff(host),
    [capture.onScript]: renderOn(host, openings),
    [capture.nftablesDropIn]: renderNftablesDropIn(),
    [capture.networkdDropIn]: renderNetworkdDropIn(),
    [capture.clientDropIn]: renderClientDropIn(),
    [capture.unitFile]: renderCaptureUnit(),
  };
  return {
    files: captureFiles.map((path) => ({ path, text: texts[path] })),
    units: [{ name: capture.unit, restart: 'reload' }],
  };
}

/** The file with the DNS servers of systemd-resolved; /etc/resolv.conf names only itself. */
const resolvedServers = 'run/systemd/resolve/resolv.conf';
/** Answers over TCP, and can be reached from the proxies of most providers. */
const publicResolver = '1.1.1.1';

/**
 * Returns the DNS servers of the client: one that this server reaches, and a public one that the proxy
 * reaches. systemd-resolved cannot be the first one: its queries enter the TUN interface.
 */
export async function clientResolvers(
  host: Host,
  { dns }: Pick<Site, 'dns'>,
): Promise<{ readonly ownResolver: string; readonly farResolver: string }> {
  const configured = dns === undefined ? [] : addressesOf(dns);
  const texts = [await readText(host, resolvedServers), await readText(host, 'etc/resolv.conf')];
  const found = texts.flatMap((text) => serversIn(text ?? ''));
  return {
    ownResolver: [...configured, ...found][0] ?? publicResolver,
    farResolver: configured.find((address) => !isPrivate(address)) ?? publicResolver,
  };
}

function serversIn(text: string): string[] {
  return [...text.matchAll(/^nameserver\s+(\S+)/gm)]
    .map(([, address = '']) => address)
    .filter((address) => ipVersion(address) !== 0)
    .filter((address) => !address.startsWith('127.') && address !== '::1');
}

/**
 * Renders the unit of rules and table. It has no `Conflicts=shutdown.target`, so the closed chains stay
 * until the machine is off. An undo at boot removes the script before this unit starts.
 */
export function renderCaptureUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: send all connections through the proxy client
DefaultDependencies=no
ConditionPathExists=/${capture.onScript}
After=local-fs.target systemd-sysctl.service nftables.service landfall-undo.service
Before=network-pre.target systemd-networkd.service
Wants=network-pre.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /${capture.onScript}
ExecReload=/bin/sh /${capture.onScript}
ExecStop=-/bin/sh /${capture.offScript}
CapabilityBoundingSet=CAP_NET_ADMIN
NoNewPrivileges=yes
ProtectHome=yes
ProtectSystem=strict
RuntimeDirectory=landfall
RuntimeDirectoryPreserve=yes

[Install]
WantedBy=sysinit.target
`;
}

/**
 * Renders the drop-in of the client. It gets CAP_NET_ADMIN alone, for the TUN interface and for marks,
 * and of all devices only that of TUN. It stops with the rules, and the rules stay without it.
 */
export function renderClientDropIn(): string {
  const settings = ['capture', 'config']
    .map((name) => `-c \${CREDENTIALS_DIRECTORY}/${name}.json`)
    .join(' ');
  const overlay = capture.overlay('active').replace('active', '%i');
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Requires=${capture.unit}
After=${capture.unit}

[Service]
LoadCredential=capture.json:/${overlay}
ExecStartPre=${clientProgram} check ${settings}
ExecStart=
ExecStart=${clientProgram} run --disable-color ${settings}
CapabilityBoundingSet=CAP_NET_ADMIN
AmbientCapabilities=CAP_NET_ADMIN
PrivateDevices=no
DevicePolicy=closed
DeviceAllow=/dev/net/tun rw
`;
}

function renderNftablesDropIn(): string {
  return renderFlushDropIn(
    'the table of captured connections',
    `systemctl is-active --quiet ${capture.unit} && exec nft --file /${capture.tableFile}`,
  );
}

/** Renders settings of systemd-networkd, which otherwise removes the rules of the client. */
function renderNetworkdDropIn(): string {
  return `# Made by Landfall: keeps the rules and routes of the proxy client.
[Network]
ManageForeignRoutes=no
ManageForeignRoutingPolicyRules=no
`;
}
