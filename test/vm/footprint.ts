/** A server that runs a command and returns its output. */
interface Commanded {
  output(command: string): Promise<string>;
}

/** Files that every server generates: their existence and modes are compared, not their content. */
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
  // Contains the time at which cloud-init wrote it.
  '/etc/sudoers.d/90-cloud-init-users',
  '/etc/ld.so.cache',
];

/** Temporary files, and a timer that depends on the time: it is removed after its success. */
const timer = 'apt-listchanges.timer';
const passing = ['/etc/ufw/*.rules.20*', '*/__pycache__/*', '*.dpkg-new', '*-', `*/${timer}`];

const not = (patterns: readonly string[]) =>
  patterns.map((pattern) => `! -path '${pattern}'`).join(' ');

/**
 * Reloads first: at boot, netplan enables its unit only if the network card was present before
 * systemd loaded its units, and always on a reload.
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
 * Returns the result of a first boot as sorted lines: packages, units, files with modes and
 * contents, accounts, settings, containers, models. Identical first boots have identical lines.
 */
export async function footprintOf(server: Commanded): Promise<string[]> {
  // Folders of certificates are named after their contents.
  const text = (await server.output(script)).replaceAll(/\.[0-9a-f]{16}\b/g, '.DIGEST');
  return [...new Set(text.split('\n'))].sort();
}

/** Returns the results of the stages, repeated or not. */
export async function endingsOf(server: Commanded): Promise<Record<string, string>> {
  const text = await server.output('cat /var/lib/landfall/journal.jsonl');
  const endings = text
    .split('\n')
    .flatMap((line) => entryOf(line))
    .filter(({ event }) => event !== 'started')
    .map(({ stage, event }) => [stage, event === 'failed' ? 'failed' : 'done']);
  return Object.fromEntries(endings);
}

/** A power cut may leave an incomplete line. */
function entryOf(line: string): Array<{ stage: string; event: string }> {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
