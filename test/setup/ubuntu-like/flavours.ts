import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { resoluteFiles, ubuntuFiles } from './files.ts';
import type { Flavour } from './flavour.ts';

const generator = fileURLToPath(new URL('sshd-socket-generator.sh', import.meta.url));

/** The configuration of Ubuntu 24.04. */
export async function ubuntuLike(): Promise<Flavour> {
  const text = await readFile(generator, 'utf8');
  const path = 'usr/lib/systemd/system-generators/sshd-socket-generator';
  return {
    name: 'ubuntu-like',
    description: 'a Debian 13 configured like Ubuntu',
    // Packages of Ubuntu Server's cloud images that Debian's lack. ufw stays inactive.
    packages: ['snapd', 'needrestart', 'ufw'],
    files: [...ubuntuFiles, { path, text, mode: 0o755 }],
    programs: {},
    // Ubuntu starts sshd by socket activation, and configures the network with systemd-networkd.
    commands: [
      'systemctl --quiet disable ssh.service',
      'systemctl --quiet enable ssh.socket systemd-networkd.service systemd-networkd-wait-online.service',
    ],
  };
}

/** Where the flavour has uutils. */
const coreutils = '/usr/lib/uutils/coreutils';

/**
 * The configuration of Ubuntu 26.04, with the programs that it replaced.
 * @param uutils path of the program of uutils
 */
export async function resoluteLike(uutils: string): Promise<Flavour> {
  const ubuntu = await ubuntuLike();
  return {
    name: 'resolute-like',
    description: 'a Debian 13 configured like Ubuntu 26.04',
    // chrony replaces systemd-timesyncd, dracut replaces initramfs-tools. docker-cli: Ubuntu has the
    // command `docker` in docker.io, and Landfall installs what the name of the distribution says.
    packages: [...ubuntu.packages, 'chrony', 'dracut', 'sudo-rs', 'docker-cli'],
    files: [...ubuntu.files, ...resoluteFiles],
    programs: { [coreutils]: uutils },
    commands: [
      ...ubuntu.commands,
      // Its settings stay, which sudo-rs reads.
      'SUDO_FORCE_REMOVE=yes dpkg --remove --force-depends sudo',
      'ln -s ../lib/cargo/bin/sudo /usr/bin/sudo',
      'ln -s ../lib/cargo/bin/visudo /usr/sbin/visudo',
      'ln -sf /usr/lib/systemd/system/tmp.mount /etc/systemd/system/tmp.mount',
      'mkdir -p /etc/systemd/system/local-fs.target.wants',
      'ln -sf ../tmp.mount /etc/systemd/system/local-fs.target.wants/tmp.mount',
      // The last commands: they replace the programs that the others need.
      `chmod 755 ${coreutils}`,
      `supported=" $(${coreutils} --list | tr '\\n' ' ') "`,
      'for path in $(dpkg --listfiles coreutils); do',
      '  case $path in /bin/* | /usr/bin/* | /usr/sbin/*) ;; *) continue ;; esac',
      // Ubuntu keeps these of GNU, and its tee has the fix of uutils#11693: that of 0.8.0 ends after its
      // first write, and cloud-init writes its output through it.
      '  case ${path##*/} in cp | mv | rm | tee) continue ;; esac',
      `  case $supported in *" \${path##*/} "*) ln -sf ${coreutils} "$path" ;; esac`,
      'done',
    ],
  };
}
