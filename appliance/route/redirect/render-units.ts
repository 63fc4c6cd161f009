import { renderFlushDropIn } from '../flush-drop-in.ts';
import { hardenedService } from '../hardened-service.ts';
import { redirectTable } from './render-rules.ts';

/** Loads the rules before the network; stopping it stops redsocks and removes the rules. */
export const rulesUnit = 'landfall-redirect.service';
export const redsocksUnit = 'landfall-redsocks.service';

/** Contains the login of the proxy, so only root can read it. */
export const redsocksFile = 'etc/landfall/redsocks.conf';
export const rulesFile = 'etc/landfall/redirect.nft';

const load = `/usr/sbin/nft --file /${rulesFile}`;

/** Renders the unit of the rules. Its reload replaces them without a gap. */
export function renderRulesUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: redirect connections of chosen users to the proxy
DefaultDependencies=no
After=local-fs.target nftables.service
Before=network-pre.target shutdown.target
Wants=network-pre.target
Conflicts=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${load}
ExecReload=${load}
ExecStop=-/usr/sbin/nft delete table ${redirectTable.join(' ')}
CapabilityBoundingSet=CAP_NET_ADMIN
NoNewPrivileges=yes
ProtectHome=yes
ProtectSystem=strict

[Install]
WantedBy=sysinit.target
`;
}

/**
 * Renders the unit of redsocks. It starts after the rules and stops before their removal. If redsocks
 * fails, the rules stay: connections are refused instead of leaving directly.
 */
export function renderRedsocksUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: proxy connections of redirected users
After=network.target ${rulesUnit}
BindsTo=${rulesUnit}
StartLimitIntervalSec=0

[Service]
Type=exec
User=redsocks
LoadCredential=redsocks.conf:/${redsocksFile}
ExecStart=/usr/sbin/redsocks -c \${CREDENTIALS_DIRECTORY}/redsocks.conf
Restart=always
RestartSec=2
LimitNOFILE=8192
${hardenedService('AF_UNIX AF_INET')}

[Install]
WantedBy=multi-user.target
`;
}

/** Renders the drop-in of nftables.service. */
export function renderRulesDropIn(): string {
  return renderFlushDropIn(
    'the rules of redirected users',
    `systemctl is-active --quiet ${rulesUnit} && exec ${load}`,
  );
}
