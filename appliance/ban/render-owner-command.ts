/** The program that fail2ban asks before it counts a failure. */
export const ownerCommandFile = 'etc/fail2ban/filter.d/ignorecommands/landfall-owner';

/**
 * Ends well when somebody is logged in from this address now: whoever came in with a key is not kept
 * out for mistakes in a second terminal.
 */
export function renderOwnerCommand(): string {
  return `#!/bin/sh
# Made by Landfall: is somebody logged in from this address now?
for session in $(loginctl list-sessions --no-legend | awk '{ print $1 }'); do
  told=$(loginctl show-session "$session" --property=RemoteHost --property=State 2>/dev/null)
  # A login that is over may stay "closing" for ever.
  printf '%s\\n' "$told" | grep -qx 'State=closing' && continue
  printf '%s\\n' "$told" | grep -qxF "RemoteHost=$1" && exit 0
done
exit 1
`;
}
