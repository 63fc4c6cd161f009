import { firewallTableFile } from '#contract/server-paths.ts';

const load = `/bin/sh -c 'test ! -e /${firewallTableFile} || exec nft --file /${firewallTableFile}'`;
/** Puts the bans that it knows of back into the table's sets. */
const ban = '-systemctl --no-block try-restart fail2ban.service';

/**
 * The unit that loads the table before there is a network, and before UFW and Docker, but after what
 * nobody confirmed was undone. Where the table cannot be loaded, Docker does not start: nothing would
 * hold its ports back.
 */
export function renderFirewallUnit(): string {
  return `[Unit]
Description=Landfall: only what was opened answers from outside
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
 * What nftables.service of the system does besides: on each start, reload and stop it flushes every
 * table, ours as well. Nothing in our own unit hears of a start, and a reload there may come before
 * the flush; these lines come right after it.
 */
export function renderNftablesDropIn(): string {
  return `# Made by Landfall: its table comes back after every flush, and with it the bans.
[Service]
ExecStartPost=-${load}
ExecStartPost=${ban}
ExecReload=-${load}
ExecReload=${ban}
ExecStopPost=-${load}
`;
}
