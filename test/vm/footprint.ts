/** A server that runs a command and gives what it printed. */
interface Commanded {
  output(command: string): Promise<string>;
}

/** Every server makes its own of these: that they are there, and who may read them, is compared. */
const ownToEach = [
  '/etc/ssh/ssh_host_*',
  '/etc/landfall/secrets/*',
  '/etc/landfall/*',
  '/etc/shadow*',
  '/etc/machine-id',
  '/etc/ssl/*',
  '/etc/docker/key.json',
  '/etc/ufw/*.rules',
  '/etc/.updated',
  // Says when cloud-init wrote it.
  '/etc/sudoers.d/90-cloud-init-users',
  '/etc/ld.so.cache',
];

/** Made while something was changed, or by the time of day: this timer goes once it has succeeded. */
const timer = 'apt-listchanges.timer';
const passing = ['/etc/ufw/*.rules.20*', '*/__pycache__/*', '*.dpkg-new', '*-', `*/${timer}`];

const not = (patterns: readonly string[]) =>
  patterns.map((pattern) => `! -path '${pattern}'`).join(' ');

/*
 * The reload comes first: at boot, netplan turns its unit on only where the network card was there
 * before systemd looked, and always when systemd looks again.
 */
const script = `
systemctl daemon-reload
dpkg-query -W -f 'package \${Package} \${Version} \${db:Status-Status}\\n'
systemctl list-unit-files --no-legend --no-pager | awk '$1 != "${timer}" && $2 != "transient" { print "unit", $1, $2 }'
find /etc /usr/local ${not(passing)} -printf 'file %p %y %m %u:%g %l\\n'
find /etc /usr/local -type f ${not([...ownToEach, ...passing])} -exec sha256sum {} + | sed 's/^/content /'
getent passwd | sed 's/^/user /'
getent group | sed 's/^/group /'
swapon --show=NAME,SIZE --noheadings | sed 's/^/swap /'
sshd -T | sed 's/^/sshd /'
ufw status | sed 's/^/ufw /'
nft -s list tables | sed 's/^/nft /'
docker ps --all --format 'container {{.Names}} {{.Image}} {{.State}}'
docker images --format 'image {{.Repository}}:{{.Tag}} {{.ID}}'
docker volume ls --format 'volume {{.Name}}'
find /var/lib/docker/volumes -path '*/models/*' -type f -exec sha256sum {} + | sed 's/^/model /'
docker network ls --format 'network {{.Name}} {{.Driver}}'
`;

/**
 * What a first boot made of a server, as sorted lines: packages, units, files with modes and
 * contents, accounts, settings, containers, models. Two servers that came up the same way have the
 * same.
 */
export async function footprintOf(server: Commanded): Promise<string[]> {
  // Folders of certificates are named after what is in them.
  const text = (await server.output(script)).replaceAll(/\.[0-9a-f]{16}\b/g, '.DIGEST');
  return [...new Set(text.split('\n'))].sort();
}

/** How the stages ended, whether or not they had to be done again. */
export async function endingsOf(server: Commanded): Promise<Record<string, string>> {
  const text = await server.output('cat /var/lib/landfall/journal.jsonl');
  const endings = text
    .split('\n')
    .flatMap((line) => entryOf(line))
    .filter(({ event }) => event !== 'started')
    .map(({ stage, event }) => [stage, event === 'failed' ? 'failed' : 'done']);
  return Object.fromEntries(endings);
}

/** A power cut may leave half a line. */
function entryOf(line: string): Array<{ stage: string; event: string }> {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
