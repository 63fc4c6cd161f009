/** A file of the image, by its absolute path. */
export interface ImageFile {
  readonly path: string;
  readonly text: string;
  /** Default: 0644. */
  readonly mode?: number;
}

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Files of Ubuntu Server's cloud images that no package contains. */
export const ubuntuFiles: readonly ImageFile[] = [
  {
    path: 'etc/cloud/cloud.cfg.d/20-ubuntu.cfg',
    text: `system_info:
  default_user:
    name: ubuntu
    lock_passwd: true
    gecos: Ubuntu
    groups: [adm, cdrom, dip, lxd, sudo]
    sudo: ["ALL=(ALL) NOPASSWD:ALL"]
    shell: /bin/bash
  network:
    renderers: [netplan, eni, sysconfig]
    activators: [netplan, eni, network-manager, networkd]
`,
  },
  // With a password from the provider, cloud-init writes this one (`ssh_pwauth: true`).
  {
    path: 'etc/ssh/sshd_config.d/50-cloud-init.conf',
    text: 'PasswordAuthentication yes\n',
    mode: 0o600,
  },
  // The image's own file, which the one above overrides: sshd uses the first value.
  { path: 'etc/ssh/sshd_config.d/60-cloudimg-settings.conf', text: 'PasswordAuthentication no\n' },
  /**
   * Debian 13 and Ubuntu 24.04 apply the same patch to sshd for socket activation, but their units
   * differ. Debian's has one socket for both IP versions, ignores `Port` and `ListenAddress`, and
   * is not tied to ssh.service. Ubuntu's has a socket for each IP version, ssh.service requires it,
   * and a generator derives it from sshd_config.
   */
  {
    path: 'usr/lib/systemd/system/ssh.socket.d/00-ubuntu.conf',
    text: `[Unit]
Before=ssh.service

[Socket]
ListenStream=
ListenStream=0.0.0.0:22
ListenStream=[::]:22
BindIPv6Only=ipv6-only
FreeBind=yes

[Install]
RequiredBy=ssh.service
`,
  },
  {
    path: 'etc/apt/sources.list.d/debian.sources',
    text: `Types: deb
URIs: http://deb.debian.org/debian
Suites: trixie trixie-updates
Components: main
Signed-By: ${keyring}

Types: deb
URIs: http://security.debian.org/debian-security
Suites: trixie-security
Components: main
Signed-By: ${keyring}
`,
  },
  // Ubuntu's needrestart restarts outdated services from apt's hook without confirmation.
  { path: 'etc/needrestart/conf.d/ubuntu.conf', text: "$nrconf{restart} = 'a';\n" },
];

/** Files of Ubuntu 26.04, besides those of {@link ubuntuFiles}. */
export const resoluteFiles: readonly ImageFile[] = [
  {
    path: 'etc/os-release',
    text: `PRETTY_NAME="Ubuntu 26.04 LTS"
NAME="Ubuntu"
VERSION_ID="26.04"
VERSION="26.04 LTS (Resolute Raccoon)"
VERSION_CODENAME=resolute
ID=ubuntu
ID_LIKE=debian
UBUNTU_CODENAME=resolute
`,
  },
];
