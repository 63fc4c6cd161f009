import { clientBinary, currentRelease } from '#contract/server-paths.ts';
import { clientEndpoints } from '#contract/site/network/effective-route.ts';
import { hardenedService } from '../hardened-service.ts';

/** A unit for each role; `landfall-route.service` is the scheduled check. */
export const clientUnitFile = 'etc/systemd/system/landfall-client@.service';
/**
 * The address for containers, as arguments of ip(8). It is on loopback, because not every kernel has
 * the device type `dummy`, and because loopback is never configured by a manager of networks.
 */
export const clientAddress = [`${clientEndpoints.container.address}/32`, 'dev', 'lo'] as const;

/** Where the unit sees the program: only root can read the folders of releases. */
export const clientProgram = '/run/landfall-client/sing-box';

/** Returns the unit of a role. */
export function clientUnit(role: 'candidate' | 'active'): string {
  return `landfall-client@${role}.service`;
}

/**
 * Renders the unit: a dynamic user without capabilities, which gets a copy of the configuration and
 * can write nothing. root adds the address for containers before the client starts.
 */
export function renderClientUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: proxy client (%i)
After=network.target
StartLimitIntervalSec=0

[Service]
Type=exec
BindReadOnlyPaths=/${currentRelease}/${clientBinary}:${clientProgram}
LoadCredential=config.json:/etc/landfall/route/%i/config.json
ExecStartPre=+/usr/sbin/ip address replace ${clientAddress.join(' ')}
ExecStartPre=${clientProgram} check -c \${CREDENTIALS_DIRECTORY}/config.json
ExecStart=${clientProgram} run --disable-color -c \${CREDENTIALS_DIRECTORY}/config.json
Restart=always
RestartSec=2
DynamicUser=yes
LimitNOFILE=8192
TasksMax=256
MemoryMax=256M
${hardenedService('AF_UNIX AF_INET AF_INET6 AF_NETLINK')}

[Install]
WantedBy=multi-user.target
`;
}
