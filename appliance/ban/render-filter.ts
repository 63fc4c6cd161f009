/** The filter for the log of the gateway. */
export const filterFile = 'etc/fail2ban/filter.d/landfall-gateway.conf';

/**
 * Renders the filter for nginx's combined format. A line begins with the client address; IPv6
 * addresses have the suffix `/64`, so fail2ban counts and bans the network. nginx escapes quotes from
 * clients, so a client cannot forge the address of another one.
 *
 * `login` matches rejected sign-ins and API keys. It excludes 429: the gateway accepts one sign-in a
 * minute, and a user who tries again at once must not be banned for an hour. `scan` matches requests
 * that are invalid or not found; it excludes 401, because browsers repeat requests when a session has
 * expired.
 */
export function renderFilter(): string {
  return `# Made by Landfall: nginx's combined log format.
[Definition]
_client = ^<SUBNET> - [^"]*\\[\\] "
_login-path = \\S*(?:sign-?in|sign-?up|log-?in|auths?|token)

failregex-login = %(_client)sPOST %(_login-path)s[^"]*" (?:400|403) \\d
                  %(_client)sPOST [^"]*" 401 \\d
failregex-scan = %(_client)s[^"]*" (?:400|403|404|405|414|444) \\d
failregex = <failregex-<mode>>

mode = scan
datepattern = ^[^\\[]*\\[(%%d/%%b/%%Y:%%H:%%M:%%S %%z)\\]
`;
}
