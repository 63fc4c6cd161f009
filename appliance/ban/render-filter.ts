/** Where fail2ban finds the filter for the gateway's log. */
export const filterFile = 'etc/fail2ban/filter.d/landfall-gateway.conf';

/**
 * What counts as a failure in nginx's combined format. A line begins with the address that nginx saw,
 * an IPv6 address with `/64`: fail2ban then counts and bans that network. nginx escapes quotes in what clients send, so no client can make a line name another one.
 * `login`: sign-ins and keys that were refused. `scan`: requests for what is not there or for nobody;
 * 401 is not among these, because a browser asks again when its session is over.
 */
export function renderFilter(): string {
  return `# Made by Landfall: nginx's combined log format.
[Definition]
_client = ^<SUBNET> - [^"]*\\[\\] "
_login-path = \\S*(?:sign-?in|sign-?up|log-?in|auths?|token)

failregex-login = %(_client)sPOST %(_login-path)s[^"]*" (?:400|403|429) \\d
                  %(_client)sPOST [^"]*" 401 \\d
failregex-scan = %(_client)s[^"]*" (?:400|403|404|405|414|444) \\d
failregex = <failregex-<mode>>

mode = scan
datepattern = ^[^\\[]*\\[(%%d/%%b/%%Y:%%H:%%M:%%S %%z)\\]
`;
}
