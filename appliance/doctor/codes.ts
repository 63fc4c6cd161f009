import { providerKeyName } from '#contract/site/key-names.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { CodeRow, Placeholder } from './code-row.ts';

const keyPlaceholder: Placeholder = { text: 'NAME_API_KEY', value: providerKeyName };

/**
 * The codes of findings, most urgent first: each can cause those below it. A test compares them with
 * `docs/doctor.md`.
 */
const rows = {
  SITE_INVALID: {
    remedy:
      'Fix the fields that the finding names in /etc/landfall/site.json, or create new user-data with `landfall user-data`. Then run `sudo landfall first-boot`.',
  },
  SSH_LOCKOUT_RISK: {
    condition: 'locked out of SSH',
    remedy:
      'Keep this login open. Verify that the administrator has sudo rights and can log in with a key in a second window before you edit sshd_config. If you cannot log in any more, use the console of the provider with the password that `sudo landfall credentials` shows. Then run `sudo landfall first-boot`, which tests a login before it changes SSH.',
  },
  CHANGE_UNCONFIRMED: {
    remedy:
      'Log in again over SSH in a second window and run `sudo landfall confirm`. Without it, the change is undone automatically.',
  },
  DISK_FULL: {
    remedy:
      'Free some space: `sudo apt-get clean`, `sudo journalctl --vacuum-size=100M`, `sudo landfall models remove NAME`. `sudo du -xh --threshold=1G /` shows the largest folders.',
  },
  CLOCK_WRONG: {
    remedy:
      'Set the clock with `sudo date --set` and check `timedatectl`. In a container, set the clock on its host. With a wrong clock, valid certificates are rejected.',
  },
  PACKAGES_BROKEN: {
    remedy: 'Run `sudo dpkg --configure -a`, then `sudo landfall first-boot`.',
    follows: ['DISK_FULL'],
  },
  NAME_UNRESOLVED: {
    remedy:
      'Check the name servers with `resolvectl status` or in /etc/resolv.conf, and that the firewall of the provider allows port 53. Otherwise use IP addresses in the site.',
  },
  NAME_POLLUTED: {
    condition: 'wrongly resolved overseas domain (DNS pollution)',
    remedy:
      'Use a public DNS server, let the proxy resolve names (a route with `socks5h://` or an HTTP proxy does), or set `proxy_dns` in proxychains. Remove wrong lines from /etc/hosts. The system may overwrite changes in /etc/resolv.conf: set the server in systemd-resolved or netplan instead.',
  },
  PROXY_FAILS: {
    condition: 'probe through proxy returns status other than 200',
    remedy:
      'Check the address, the port and the credentials of `route.url` in the site; the proxy may listen on another port. Test it with `curl -x <proxy> -I https://<host>`. Then run `sudo landfall first-boot`. With `route.mode: client`, run `sudo landfall route on` instead, or import other proxies first.',
  },
  TLS_UNTRUSTED: {
    condition: 'TLS errors with self-built proxy or relay',
    remedy:
      'Install the certificate authority of the proxy into the trust of the system: copy it to /usr/local/share/ca-certificates and run `sudo update-ca-certificates`. Programs with their own list need REQUESTS_CA_BUNDLE (Python) or NODE_EXTRA_CA_CERTS (Node). Turning verification off is for debugging only and forbidden in production.',
    follows: ['CLOCK_WRONG', 'NAME_POLLUTED'],
  },
  PROVIDER_UNREACHABLE: {
    condition: 'provider host unreachable directly',
    remedy:
      'Use a proxy or a relay: set `route` in the site to an HTTP or SOCKS5 proxy, or point `base_url` of the provider to a relay that reaches it. Then run `sudo landfall first-boot`.',
    follows: ['NAME_UNRESOLVED', 'NAME_POLLUTED', 'PROXY_FAILS', 'TLS_UNTRUSTED'],
  },
  PORT_USED: {
    condition: 'host port already used',
    remedy:
      'Stop the other program, or change the host side of the mapping: set the port in `ports` of the site to a free one (for example `ui: 3001`, which maps 3001:8080) and run `sudo landfall first-boot`, which also updates proxy_pass. Ports 80 and 443 cannot be changed.',
  },
  DOCKER_DOWN: {
    remedy:
      'Start Docker with `sudo systemctl start docker`. If it fails, `sudo journalctl -u docker -n 50` shows the reason.',
    follows: ['DISK_FULL', 'PACKAGES_BROKEN'],
  },
  FIRST_BOOT_FAILED: {
    remedy: 'Fix the cause that the finding names, then run `sudo landfall first-boot`.',
  },
  OUT_OF_MEMORY: {
    remedy:
      'Use a smaller model (`models` in the site), or a server with more memory. `sudo landfall plan` shows how much memory the models need.',
  },
  COMPONENT_DOWN: {
    remedy:
      'Read its log with `sudo docker logs --tail 50 landfall-NAME`, then start it with `sudo landfall first-boot`.',
    placeholder: { text: 'NAME' },
    follows: ['DOCKER_DOWN', 'PORT_USED'],
  },
  UI_WITHOUT_ENGINE: {
    condition: 'web UI shows engine connection failure',
    remedy:
      'Point OLLAMA_BASE_URL to `http://engine:11434`, the service name of the inference engine, and check its container: `sudo docker ps` and `sudo docker logs --tail 50 landfall-engine`. `sudo landfall first-boot` restores both.',
    follows: ['DOCKER_DOWN', 'COMPONENT_DOWN'],
  },
  DNS_RECORD_MISSING: {
    remedy:
      'Create the record that the finding names at the provider of the domain, and replace another record of this name and type. It takes effect within 30 seconds to 2 minutes; the certificate is then requested automatically.',
  },
  CERTIFICATE_INVALID: {
    remedy:
      'Check that the DNS records of the site point to this server and that port 80 is reachable, then run `sudo landfall tls renew`. Replace a certificate of your own before it expires.',
    follows: ['DNS_RECORD_MISSING'],
  },
  GATEWAY_SETTINGS: {
    remedy:
      'The line with [emerg] names the file and the line of a wrong setting. Run `sudo landfall first-boot`, which writes the settings again; until then nginx keeps its previous ones.',
  },
  GATEWAY_DOWN: {
    remedy:
      'Read its log with `sudo docker logs --tail 50 landfall-gateway`. `sudo landfall first-boot` writes its settings again and starts it.',
    follows: [
      'DOCKER_DOWN',
      'COMPONENT_DOWN',
      'PORT_USED',
      'CERTIFICATE_INVALID',
      'GATEWAY_SETTINGS',
    ],
  },
  GATEWAY_BAD_GATEWAY: {
    condition: 'reverse proxy 502 Bad Gateway',
    remedy:
      'Check the mapping 3000:8080 with `sudo docker port landfall-ui`, test the component on the server with `curl -I http://127.0.0.1:3000`, and read the error log of the gateway with `sudo docker logs --tail 50 landfall-gateway`.',
    follows: ['DOCKER_DOWN', 'COMPONENT_DOWN', 'GATEWAY_DOWN'],
  },
  GATEWAY_FORBIDDEN: {
    condition: 'reverse proxy 403',
    remedy:
      'Use the configured domain in the browser. If the domain is right, write it into `hosts` of the site and run `sudo landfall first-boot`.',
    follows: ['GATEWAY_DOWN'],
  },
  CONTAINER_WITHOUT_PROXY: {
    condition: 'container without proxy variables',
    remedy:
      'Check the proxy of the Docker daemon with `sudo docker info`, and the container with `sudo docker exec NAME env`, both filtered by "proxy". Create the container again: `sudo landfall first-boot` for Landfall, or `docker run -e HTTPS_PROXY=… -e NO_PROXY=…` for your own.',
    follows: ['COMPONENT_DOWN'],
  },
  HOST_NAME_IN_CONTAINER: {
    condition: 'container cannot resolve host.docker.internal on Linux',
    remedy:
      'Use the host network mode, or the IP address of the host. The name works automatically only on the desktop editions for macOS and Windows; on Linux, `--add-host host.docker.internal:host-gateway` adds it to a container. The firewall of Landfall still rejects connections from containers to ports of the server except 80 and 443, so only the host network mode reaches its other services.',
  },
  MODEL_PULL_TIMEOUT: {
    condition: 'model pull timeout',
    remedy:
      'Set a proxy as the route of the site (it sets the proxy variables of the inference engine), or a mirror with `mirrors.models`. Then run `sudo landfall models pull NAME`, which resumes the download.',
    placeholder: { text: 'NAME' },
    follows: ['NAME_UNRESOLVED', 'NAME_POLLUTED', 'PROXY_FAILS', 'TLS_UNTRUSTED'],
  },
  MODEL_MISSING: {
    remedy: 'Run `sudo landfall models pull NAME`; an interrupted download is resumed.',
    placeholder: { text: 'NAME' },
    follows: ['DOCKER_DOWN', 'COMPONENT_DOWN', 'MODEL_PULL_TIMEOUT', 'DISK_FULL'],
  },
  PROVIDER_KEY_MISSING: {
    remedy: 'Set the key on the server with `sudo landfall secret set NAME_API_KEY`.',
    placeholder: keyPlaceholder,
  },
  PROVIDER_KEY_REFUSED: {
    remedy:
      'Copy the key again from the console of the provider, and check that its account is active. Then run `sudo landfall secret set NAME_API_KEY`, which also tries the key.',
    placeholder: keyPlaceholder,
  },
  FIREWALL_DIFFERS: {
    remedy:
      'Run `sudo landfall firewall apply`. It may close ports, and is undone after a few minutes without `sudo landfall confirm` from a new login.',
  },
  PORT_CLOSED: {
    remedy:
      'To open the port, run `sudo landfall firewall allow PORT/PROTOCOL`. To close it, delete the rule of UFW that the finding names.',
    placeholder: { text: 'PORT/PROTOCOL' },
  },
  BAN_DOWN: {
    remedy:
      'Restart it with `sudo systemctl restart fail2ban`. `sudo journalctl -u fail2ban -n 50` shows why it stopped.',
  },
  SERVICE_FAILED: {
    remedy:
      'Read its log with `sudo journalctl -u UNIT -n 50`, then restart it with `sudo systemctl restart UNIT`.',
    placeholder: { text: 'UNIT' },
    follows: ['DOCKER_DOWN', 'BAN_DOWN', 'DISK_FULL', 'COMPONENT_DOWN'],
  },
  RELEASE_EXPIRED: {
    remedy: 'Create user-data from a newer release: an expired one gets no security updates.',
  },
  STAGE_PENDING: {
    remedy:
      '`sudo landfall plan` shows the changes, with a diff of each file, and `sudo landfall first-boot` applies them.',
    follows: [
      'SITE_INVALID',
      'SSH_LOCKOUT_RISK',
      'CLOCK_WRONG',
      'DOCKER_DOWN',
      'COMPONENT_DOWN',
      'PACKAGES_BROKEN',
      'DNS_RECORD_MISSING',
      'CERTIFICATE_INVALID',
      'GATEWAY_SETTINGS',
      'FIREWALL_DIFFERS',
      'BAN_DOWN',
      'MODEL_MISSING',
      'MODEL_PULL_TIMEOUT',
      'PORT_USED',
      'NAME_UNRESOLVED',
      'DISK_FULL',
    ],
  },
  CHECK_FAILED: {
    remedy:
      'Follow the hint of the finding. A check that failed says nothing about what it checks.',
    follows: [
      'SSH_LOCKOUT_RISK',
      'DISK_FULL',
      'PACKAGES_BROKEN',
      'DOCKER_DOWN',
      'COMPONENT_DOWN',
      'GATEWAY_DOWN',
    ],
  },
  CHECK_TIMED_OUT: {
    remedy:
      'Run `sudo landfall doctor` again. A check that always times out points to a program that hangs: `ps -eo pid,stat,cmd` shows processes in the state D.',
    follows: ['DISK_FULL', 'DOCKER_DOWN', 'NAME_UNRESOLVED'],
  },
} as const satisfies Readonly<Record<string, CodeRow>>;

/** The literal code of a finding. Programs compare it, never the text. */
export type FindingCode = keyof typeof rows;

/** All codes, most urgent first. */
export const findingCodes = Object.keys(rows) as FindingCode[];

/** Returns what a code means and what to do. */
export function rowOf(code: FindingCode): CodeRow {
  return rows[code];
}

/** Returns what to do about a finding, with its subject in commands. */
export function remedyFor(code: FindingCode, subject: string, remedy = rowOf(code).remedy): string {
  const { placeholder } = rowOf(code);
  if (!placeholder) return remedy;
  const { text, value = (name) => name } = placeholder;
  return remedy.replaceAll(text, value(plainLine(subject)));
}
