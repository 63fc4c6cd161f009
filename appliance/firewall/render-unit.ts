import { firewallTableFile } from '#contract/server-paths.ts';

/**
 * The unit that loads the table before there is a network, and before UFW and Docker, but after what
 * nobody confirmed was undone. Where the table cannot be loaded, Docker does not start: nothing would
 * hold its ports back. Whoever lets nftables.service flush every table loses ours for a moment only.
 */
export function renderFirewallUnit(): string {
  const load = `/bin/sh -c 'test ! -e /${firewallTableFile} || exec nft --file /${firewallTableFile}'`;
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
ExecStartPost=-systemctl --no-block try-restart fail2ban.service
ExecReload=${load}

[Install]
WantedBy=sysinit.target
RequiredBy=docker.service
`;
}
