import { isOnLoopback } from '#contract/site/network/socks.ts';
import type { Site } from '#contract/site/site.ts';
import { environmentFile } from '../../host/environment-file.ts';
import { renderFlushDropIn } from '../flush-drop-in.ts';
import { hardenedService } from '../hardened-service.ts';
import { guardTable, guardUser } from './render-guard.ts';

export const socksUnit = 'landfall-socks.service';
/** The login, so only root can read it. */
export const loginFile = 'etc/landfall/socks.env';
export const guardFile = 'etc/landfall/socks.nft';
/** systemd creates this folder before the service starts, for its user, and removes it afterwards. */
const runtimeFolder = 'landfall-socks';

/** Returns address and port of the SOCKS5 server. */
export function endpointOf({ listen, port }: NonNullable<Site['socks']>): string {
  return listen.includes(':') ? `[${listen}]:${port}` : `${listen}:${port}`;
}

/** Loads the rules with the current user ID. systemd reads `$$` as `$` and `%%` as `%`. */
const loadGuard = `exec nft --define ${guardUser}=$$(stat -L -c %%u /run/${runtimeFolder}) --file /${guardFile}`;

/** Renders the login of the SOCKS5 server as variables. */
export function renderLogin({ username }: NonNullable<Site['socks']>, password: string): string {
  return environmentFile({ SOCKS_USERNAME: username, SOCKS_PASSWORD: password });
}

/**
 * Renders the unit of microsocks: a dynamic user without privileges, whose rules load before it
 * starts. microsocks reads its login from arguments only, and overwrites them before it accepts
 * connections. Its log would contain the destinations of all users. It is restarted until its address
 * exists, for example that of WireGuard.
 */
export function renderSocksUnit(socks: NonNullable<Site['socks']>): string {
  const login = isOnLoopback(socks) ? '' : ' -u ${SOCKS_USERNAME} -P ${SOCKS_PASSWORD}';
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: SOCKS5 server for your own devices
After=network.target nftables.service
StartLimitIntervalSec=0

[Service]
Type=exec
DynamicUser=yes
RuntimeDirectory=${runtimeFolder}
RuntimeDirectoryMode=0700
${isOnLoopback(socks) ? '' : `EnvironmentFile=/${loginFile}\n`}ExecStartPre=+/bin/sh -c '${loadGuard}'
ExecStart=/usr/bin/microsocks -i ${socks.listen} -p ${socks.port}${login}
ExecStopPost=+-/usr/sbin/nft delete table ${guardTable.join(' ')}
StandardOutput=null
StandardError=null
Restart=always
RestartSec=5
LimitNOFILE=4096
TasksMax=512
MemoryMax=128M
${hardenedService('AF_UNIX AF_INET AF_INET6 AF_NETLINK')}

[Install]
WantedBy=multi-user.target
`;
}

/** Renders the drop-in of nftables.service. */
export function renderGuardDropIn(): string {
  return renderFlushDropIn(
    'the rules of the SOCKS5 server',
    `test ! -e /run/${runtimeFolder} || ${loadGuard}`,
  );
}
