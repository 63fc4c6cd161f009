import { sandbox } from '../../server/host/sandbox.ts';

/**
 * Returns the lines of a unit for a network program without privileges that writes no file
 * (systemd.exec(5)).
 * @param families the address families that it may use, as `RestrictAddressFamilies=` has them
 */
export function hardenedService(families: string): string {
  return [
    'CapabilityBoundingSet=',
    ...sandbox,
    'MemoryDenyWriteExecute=yes',
    'ProtectProc=invisible',
    `RestrictAddressFamilies=${families}`,
    // After @system-service, from which it removes calls.
    'SystemCallFilter=~@privileged @resources',
  ].join('\n');
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
