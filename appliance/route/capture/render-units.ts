import { clientProgram } from '../client/render-unit.ts';
import { renderFlushDropIn } from '../flush-drop-in.ts';
import { captureUnit, offScript, onScript, overlayFile, tableFile } from './names.ts';

/**
 * Renders the unit of rules and table. It has no `Conflicts=shutdown.target`, so the closed chains stay
 * until the machine is off. An undo at boot removes the script before this unit starts.
 */
export function renderCaptureUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: send all connections through the proxy client
DefaultDependencies=no
ConditionPathExists=/${onScript}
After=local-fs.target systemd-sysctl.service nftables.service landfall-undo.service
Before=network-pre.target systemd-networkd.service
Wants=network-pre.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh /${onScript}
ExecReload=/bin/sh /${onScript}
ExecStop=-/bin/sh /${offScript}
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
  const overlay = overlayFile('active').replace('active', '%i');
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Requires=${captureUnit}
After=${captureUnit}

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

/** Renders the drop-in of nftables.service. */
export function renderNftablesDropIn(): string {
  return renderFlushDropIn(
    'the table of captured connections',
    `systemctl is-active --quiet ${captureUnit} && exec nft --file /${tableFile}`,
  );
}

/** Renders settings of systemd-networkd, which otherwise removes the rules of the client. */
export function renderNetworkdDropIn(): string {
  return `# Made by Landfall: keeps the rules and routes of the proxy client.
[Network]
ManageForeignRoutes=no
ManageForeignRoutingPolicyRules=no
`;
}
