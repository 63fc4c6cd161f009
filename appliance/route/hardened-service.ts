/**
 * Returns the lines of a unit for a network program without privileges that writes no file
 * (systemd.exec(5)).
 * @param families the address families that it may use, as `RestrictAddressFamilies=` has them
 */
export function hardenedService(families: string): string {
  return `CapabilityBoundingSet=
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RestrictAddressFamilies=${families}
RestrictNamespaces=yes
RestrictRealtime=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources`;
}

/**
 * Renders a drop-in for nftables.service, which flushes all tables on start, reload and stop.
 * @param what the rules that come back after each flush
 * @param again a shell command, without single quotes, that loads them if they were loaded before
 */
export function renderFlushDropIn(what: string, again: string): string {
  const line = `-/bin/sh -c '${again}'`;
  return `# Made by Landfall: loads ${what} after each flush.
[Service]
ExecStartPost=${line}
ExecReload=${line}
ExecStopPost=${line}
`;
}
