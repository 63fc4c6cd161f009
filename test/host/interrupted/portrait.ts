import type { FastHost } from '../machine/fast-host.ts';

/** Commands that describe the state of a server, without values that always differ. */
const views = {
  packages: "dpkg-query -W -f '${Package} ${Version} ${db:Status-Abbrev}\\n'",
  units: 'systemctl list-unit-files --state=enabled --no-legend --plain',
  ssh: 'sshd -T | grep -v hostkeyagent',
  sudoers: "grep -hv '^#' /etc/sudoers.d/*",
  accounts: 'getent passwd | cut -d: -f1,3- && getent group',
  ufw: 'ufw status verbose',
  // Sets of recent clients differ from server to server.
  table:
    "nft --stateless list table inet landfall | sed -e '/elements = {.*}/d' -e '/elements = {/,/}/d'",
  jails: 'fail2ban-client status',
  engine: 'cat /etc/docker/daemon.json',
  images: "docker images --no-trunc --format '{{.Repository}}:{{.Tag}} {{.ID}}' | sort",
  containers: "docker ps --format '{{.Names}} {{.Image}} {{.Ports}}' | sort",
  networks: `for network in $(docker network ls --format '{{.Name}}' | sort); do
    echo $network: $(docker ps --filter network=$network --format '{{.Names}}' | sort)
  done`,
  volumes: "docker volume ls --format '{{.Name}}' | sort",
  // Folders of certificates are named after their contents. A timer checks the route each quarter of an
  // hour, so only one of two servers may have its result.
  files:
    'find /etc/landfall /var/lib/landfall /opt/landfall ! -name route-state.json -printf "%y %m %u %g %p\\n" | sed -E "s,\\.[0-9a-f]{16}\\b,.DIGEST," | sort',
  settings: 'cat /etc/landfall/site.json /etc/sysctl.d/*landfall*',
} as const;

export type Portrait = Record<keyof typeof views, string>;

/** Collects the state of a server. Its own name and addresses are replaced by placeholders. */
export async function portraitOf(host: FastHost): Promise<Portrait> {
  const entries = await Promise.all(
    Object.entries(views).map(async ([name, command]) => {
      const { exitCode, stdout, stderr } = await host.run(command);
      return [name, withoutOwn(exitCode === 0 ? stdout : stdout + stderr, host)];
    }),
  );
  return Object.fromEntries(entries);
}

function withoutOwn(text: string, { name, addresses }: FastHost): string {
  return [name, addresses.v4, addresses.v6].reduce(
    (rest, own) => rest.replaceAll(own, 'OWN'),
    text,
  );
}
