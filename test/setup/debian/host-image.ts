/** Suite of each distribution of the fast host. */
export const hostSuites = {
  debian12: 'bookworm',
  debian13: 'trixie',
  'ubuntu-like': 'trixie',
  'resolute-like': 'trixie',
} as const;

export type HostDistribution = keyof typeof hostSuites;

/**
 * Packages of Debian's cloud image that affect a server. Packages that a first boot installs
 * (Docker, ufw, fail2ban) are omitted on purpose.
 */
export const cloudPackages = [
  ...['systemd-sysv', 'dbus', 'libpam-systemd', 'udev', 'kmod', 'polkitd', 'cron', 'logrotate'],
  ...['systemd-resolved', 'systemd-timesyncd', 'netplan.io', 'netbase', 'iproute2', 'nftables'],
  ...['cloud-init', 'cloud-guest-utils', 'fdisk', 'gdisk', 'e2fsprogs', 'apt-utils', 'python3-apt'],
  ...['unattended-upgrades', 'apt-listchanges', 'openssh-server', 'openssh-client', 'sudo'],
  ...['openssl', 'ca-certificates', 'curl', 'wget', 'gpg', 'python3', 'login', 'passwd', 'tzdata'],
  ...['locales', 'procps', 'psmisc', 'lsof', 'less', 'nano', 'vim-tiny', 'file', 'man-db', 'rsync'],
  ...['iputils-ping', 'socat', 'tcpdump', 'uuid-runtime', 'bash-completion'],
];

/** Shell commands that turn the new root folder, $1, into a cloud image. */
export const cloudHooks = (suite: string) => [
  // Removes files that every machine generates.
  'rm -f "$1"/etc/ssh/ssh_host_*',
  ': > "$1/etc/machine-id"',
  // Package sources as in a cloud image: lists of mirrors, with updates and security.
  'rm "$1/etc/apt/sources.list" && mkdir -p "$1/etc/apt/mirrors"',
  mirrorList('debian'),
  mirrorList('debian-security'),
  sourcesStanza('debian', [suite, `${suite}-updates`]),
  sourcesStanza('debian-security', [`${suite}-security`]),
  // Prevents ldconfig and the journal catalogue from running at the first boot.
  'touch "$1/etc/.updated" "$1/var/.updated"',
  'ln -sf /dev/null "$1/etc/systemd/system/systemd-binfmt.service"',
];

function mirrorList(archive: string): string {
  return `echo http://deb.debian.org/${archive} >"$1/etc/apt/mirrors/${archive}.list"`;
}

function sourcesStanza(archive: string, suites: readonly string[]): string {
  const lines = [
    'Types: deb',
    `URIs: mirror+file:///etc/apt/mirrors/${archive}.list`,
    `Suites: ${suites.join(' ')}`,
    'Components: main',
    'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg',
    '',
  ];
  const print = `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')}`;
  return `${print} >>"$1/etc/apt/sources.list.d/debian.sources"`;
}
