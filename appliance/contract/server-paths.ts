/** Where things lie on a server, from its root folder. User-data writes them, the appliance reads them. */

/** What the bootstrap needs: which release, from where. */
export const bootSettingsFile = 'etc/landfall/boot.json';
/** The site, as user-data gave it. */
export const siteFile = 'etc/landfall/site.json';
/** Public keys in PEM, one a file: whoever holds one of them may sign releases. */
export const trustedKeysFolder = 'etc/landfall/keys';
/** The trust anchor: who may sign releases, and which releases are too old. The PEM files follow from it. */
export const trustAnchorFile = 'etc/landfall/trust.json';
/** The scripts of the bootstrap. */
export const bootFolder = 'opt/landfall/boot';
/** The unit that starts the bootstrap until it has succeeded. */
export const bootUnitFile = 'etc/systemd/system/landfall-boot.service';
/** One folder a release, `<version>-<architecture>`; a name that ends in `.new` is being filled. */
export const releasesFolder = 'opt/landfall/releases';
/** A symbolic link to the release that runs. */
export const currentRelease = 'opt/landfall/current';
/** Node, taken out of `runtime/node.tgz`, from the folder of a release. */
export const nodeBinary = 'runtime/node';
/** One line for people: what the bootstrap is doing. */
export const bootstrapStatusFile = 'run/landfall/bootstrap';
/** While this file is there, the first boot is over and the unit does not start. */
export const installedMark = 'var/lib/landfall/installed';
/** What happened to this server, stage by stage, one JSON object a line. */
export const journalFile = 'var/lib/landfall/journal.jsonl';
/** Where the server stands, for programs. */
export const statusFile = 'run/landfall/status.json';
/** Secrets that were made here, one a file, 0600 of root. */
export const secretsFolder = 'etc/landfall/secrets';
/** The rendered configuration of the stack, for this site. */
export const stackFolder = 'var/lib/landfall/stack';
/** What the owner opened or closed in the firewall, besides what is always open. */
export const firewallSettingsFile = 'etc/landfall/firewall.json';
/** The firewall's table, as `nft -f` loads it at every boot. */
export const firewallTableFile = 'etc/landfall/firewall.nft';
/** `ufw status verbose` as it was when the firewall stage had proved itself. */
export const firewallStatusFile = 'var/lib/landfall/firewall-status.txt';
/** Addresses that are never banned. */
export const banSettingsFile = 'etc/landfall/ban.json';
/** Requests to the gateway in nginx's combined format; its folder is given to the container. */
export const gatewayLogFile = 'var/lib/landfall/gateway-log/access.log';
/** The page that browsers see while the first boot runs; who serves it can read nothing else. */
export const pageFile = 'run/landfall/page/index.html';
/** What people read when they log in: while a first boot has not ended well, and afterwards. */
export const motdFile = {
  unfinished: 'var/lib/landfall/motd-unfinished',
  finished: 'var/lib/landfall/motd',
} as const;
/** Shows one of the two. */
export const motdScript = 'etc/update-motd.d/60-landfall';
/** What was done here, for people and for programs. */
export const reportFile = {
  text: 'var/lib/landfall/report.txt',
  json: 'var/lib/landfall/report.json',
} as const;
/** Results of the last smoke tests. */
export const smokeFile = 'var/lib/landfall/smoke.json';
