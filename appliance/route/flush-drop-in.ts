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
