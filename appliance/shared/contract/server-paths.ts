/**
 * Paths on a server, relative to its root folder. User-data writes them; the appliance reads them.
 */

/** The boot settings: which release to install, and its sources. */
export const bootSettingsFile = 'etc/landfall/boot.json';
/** The site, as in user-data: what programs read. */
export const siteFile = 'etc/landfall/site.json';
/** The same site with the comments of its administrators, who edit it. */
export const siteTextFile = 'etc/landfall/site.yaml';
/** Public keys in PEM, one per file. Each of them may sign releases. */
export const trustedKeysFolder = 'etc/landfall/keys';
/** The trust anchor: trusted keys and the oldest allowed release. The PEM files derive from it. */
export const trustAnchorFile = 'etc/landfall/trust.json';
/** The scripts of the bootstrap. */
export const bootFolder = 'opt/landfall/boot';
/** The unit that starts the bootstrap until it has succeeded. */
export const bootUnitFile = 'etc/systemd/system/landfall-boot.service';
/** One folder per release, `<version>-<architecture>`; a folder `*.new` is incomplete. */
export const releasesFolder = 'opt/landfall/releases';
/** A symbolic link to the running release. */
export const currentRelease = 'opt/landfall/current';
/** Node, unpacked from `runtime/node.tgz`; relative to the folder of a release. */
export const nodeBinary = 'runtime/node';
/** One line with the current step of the bootstrap, for users. */
export const bootstrapStatusFile = 'run/landfall/bootstrap';
/** The note on the console of a server that waits for its bundle. */
export const waitingNoteFile = 'etc/issue.d/landfall.issue';
/** The command `landfall`. Its folder is on the PATH of all users and of sudo. */
export const commandFile = 'usr/local/bin/landfall';
/** Compiled code of the program, so that the command starts faster. Only root may write here. */
export const compiledCodeFolder = 'var/cache/landfall';
/** Exists after the first boot. The unit does not start while it exists. */
export const installedMark = 'var/lib/landfall/installed';
/** The history of this server by stage, one JSON object per line. */
export const journalFile = 'var/lib/landfall/journal.jsonl';
/** The current state of the server, for programs. */
export const statusFile = 'run/landfall/status.json';
/** Secrets generated on this server, one per file, root only (0600). */
export const secretsFolder = 'etc/landfall/secrets';
/** The keys and members of a Swarm, root only (0700). */
export const swarmFolder = 'etc/landfall/swarm';
/** The key and the devices of the tunnel, root only (0700). */
export const accessFolder = 'etc/landfall/access';
/** Docker's own state of a Swarm: its members and its authority. */
export const dockerSwarmFolder = 'var/lib/docker/swarm';
/** What a backup has of that folder, until it is in place. */
export const restoredSwarmFolder = 'etc/landfall/swarm/restored';
/** The rendered configuration of the stack for this site. */
export const stackFolder = 'var/lib/landfall/stack';
/** The usage of relay keys with a budget, which only the relay writes. */
export const relayUsageFolder = 'var/lib/landfall/relay-usage';
/** The models that hosted providers listed, for the front-ends. */
export const providerModelsFile = 'var/lib/landfall/provider-models.json';
/** The components that an administrator stopped, and since when. */
export const stoppedFile = 'var/lib/landfall/stopped.json';
/** Ports that the administrator opened or closed, in addition to the default ones. */
export const firewallSettingsFile = 'etc/landfall/firewall.json';
/** The firewall's table, which `nft -f` loads at every boot. */
export const firewallTableFile = 'etc/landfall/firewall.nft';
/** Output of `ufw status verbose` after the firewall stage was verified. */
export const firewallStatusFile = 'var/lib/landfall/firewall-status.txt';
/** Addresses that are never banned. */
export const banSettingsFile = 'etc/landfall/ban.json';
/** Limits of the warning about low disk space. */
export const diskSettingsFile = 'etc/landfall/disk.json';
/** Requests to the gateway in nginx's combined format. Its folder is mounted into the container. */
export const gatewayLogFile = 'var/lib/landfall/gateway-log/access.log';
/** The page that browsers see during the first boot. Its server can read no other file. */
export const pageFile = 'run/landfall/page/index.html';
/** The same page, which the gateway serves at the address of a server with host names. */
export const gatewayPageFile = 'var/lib/landfall/stack/gateway/progress/index.html';
/** The login messages: during an unfinished first boot, and afterwards. */
export const motdFile = {
  unfinished: 'var/lib/landfall/motd-unfinished',
  finished: 'var/lib/landfall/motd',
} as const;
/** Prints one of the two. */
export const motdScript = 'etc/update-motd.d/60-landfall';
/** The installation report, for users and for programs. */
export const reportFile = {
  text: 'var/lib/landfall/report.txt',
  json: 'var/lib/landfall/report.json',
} as const;
/** Results of the last smoke tests. */
export const smokeFile = 'var/lib/landfall/smoke.json';
/** The models that the chat UI offers to every account. */
export const uiModelsFile = 'var/lib/landfall/ui-models.json';
/** The state of the route: which destinations can be reached, and since when. */
export const routeStateFile = 'var/lib/landfall/route-state.json';
/** What the last check for updates found. */
export const updateStateFile = 'var/lib/landfall/update-state.json';
/** The update in progress. */
export const transactionFile = 'var/lib/landfall/update/transaction.json';
/** The updates of this server, one JSON object per line. */
export const updateHistoryFile = 'var/lib/landfall/update/history.jsonl';
/** What the update in progress does, one JSON object per line. */
export const updateEventsFile = 'run/landfall/update.jsonl';
/** Alerts that did not arrive yet, by target. Contains no secrets. */
export const alertsFile = 'var/lib/landfall/alerts.json';
/** What an alert was sent about, until it ends. Contains no secrets. */
export const troublesFile = 'var/lib/landfall/troubles.json';
/** The proxies of `landfall route import`, root only (0600): they contain passwords. */
export const importedProxiesFile = 'etc/landfall/route/proxies.json';
/** The state of the proxy client, and one folder with a configuration for each role of it. */
export const clientStateFile = 'etc/landfall/route/state.json';
/** The program of the proxy client, unpacked from its tarball; relative to the folder of a release. */
export const clientBinary = 'runtime/sing-box';
/** The keys of the backups, root only (0700). */
export const backupFolder = 'etc/landfall/backup';
/** The state of the backups, by target. Contains no secrets. */
export const backupStateFile = 'var/lib/landfall/backup/state.json';
/** Exists when a backup was restored on this server before its first boot went on. */
export const restoredFile = 'var/lib/landfall/backup/restored.json';
