import { firewallTableFile } from '#contract/server-paths.ts';

const load = `/bin/sh -c 'test ! -e /${firewallTableFile} || exec nft --file /${firewallTableFile}'`;
/** fail2ban restores its bans when it starts. */
const ban = '-systemctl --no-block try-restart fail2ban.service';

/**
 * Renders the unit that loads the table before the network, UFW and Docker, and after unconfirmed
 * changes are reverted. If the table does not load, Docker does not start, because its ports would be
 * open.
 */
export function renderFirewallUnit(): string {
  return `[Unit]
Description=Landfall firewall
DefaultDependencies=no
After=local-fs.target nftables.service landfall-undo.service
Before=network-pre.target ufw.service docker.service shutdown.target
Wants=network-pre.target
Conflicts=shutdown.target
PartOf=nftables.service
ReloadPropagatedFrom=nftables.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${load}
ExecStartPost=${ban}
ExecReload=${load}

[Install]
WantedBy=sysinit.target
RequiredBy=docker.service
`;
}

/**
 * Renders a drop-in for nftables.service, which flushes all tables on start, reload and stop. These
 * lines run after each flush; our own unit is not notified of a start, and its reload may run before
 * the flush.
 */
export function renderNftablesDropIn(): string {
  return `# Made by Landfall: restores its table and the bans after each flush.
[Service]
ExecStartPost=-${load}
ExecStartPost=${ban}
ExecReload=-${load}
ExecReload=${ban}
ExecStopPost=-${load}
`;
}
