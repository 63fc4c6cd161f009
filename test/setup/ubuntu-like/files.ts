/** A file of the image, by its path from the root folder. */
export interface ImageFile {
  readonly path: string;
  readonly text: string;
  /** Default: 0644. */
  readonly mode?: number;
}

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** What Ubuntu Server's cloud images have in files, besides what packages bring. */
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
  // A provider that mails a password has cloud-init write this one (`ssh_pwauth: true`).
  {
    path: 'etc/ssh/sshd_config.d/50-cloud-init.conf',
    text: 'PasswordAuthentication yes\n',
    mode: 0o600,
  },
  // The image's own, which the one above overrules: sshd takes the first value that it reads.
  { path: 'etc/ssh/sshd_config.d/60-cloudimg-settings.conf', text: 'PasswordAuthentication no\n' },
  /*
   * Debian 13 and Ubuntu 24.04 build sshd with the same patch, so that it takes the socket from
   * systemd. Their units differ. Debian's listens at one socket for both versions of IP, and sshd's
   * own `Port` and `ListenAddress` do nothing for it; nothing ties ssh.service to it. Ubuntu's has a
   * socket for each version, ssh.service requires it, and a generator keeps it in step with sshd_config.
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
  // Ubuntu's needrestart restarts outdated services from apt's hook without a question.
  { path: 'etc/needrestart/conf.d/ubuntu.conf', text: "$nrconf{restart} = 'a';\n" },
];
