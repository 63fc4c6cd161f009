/** The program that fail2ban runs before it counts a failure. */
export const ignoreCommandFile = 'etc/fail2ban/filter.d/ignorecommands/landfall-owner';

/**
 * Renders a program that succeeds if a user is logged in from this address or its /64. A user who
 * logged in with a key is not banned for failures in a second terminal.
 */
export function renderIgnoreCommand(): string {
  return `#!/usr/bin/python3
# Made by Landfall: is a user logged in from this address now, or from its /64?
import ipaddress
import subprocess
import sys


def network(text):
    try:
        address = ipaddress.ip_address(text.partition("/")[0])
    except ValueError:
        return None
    return ipaddress.ip_network((int(address), 64) if address.version == 6 else address, False)


def ask(*args):
    told = subprocess.run(["loginctl", *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return told.stdout.decode(errors="replace").splitlines()


def remote_hosts():
    for session in (line.split()[0] for line in ask("list-sessions", "--no-legend") if line.strip()):
        told = ask("show-session", session, "--property=RemoteHost", "--property=State")
        # An ended session can stay in the state "closing" indefinitely.
        if "State=closing" not in told:
            yield from (line.partition("=")[2] for line in told if line.startswith("RemoteHost="))


wanted = network(sys.argv[1])
sys.exit(0 if wanted is not None and wanted in map(network, remote_hosts()) else 1)
`;
}
