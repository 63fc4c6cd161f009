import { describe, expect, it } from 'vitest';
import { calledPrograms, coreutilsInScripts } from './called-programs.ts';
import { textOf } from './sources.ts';

/**
 * Every program that the appliance starts on a server: its package in Debian, and the options that it uses.
 * A release of a distribution that replaces a package, as Ubuntu 26.04 did with coreutils and sudo, is
 * compared with this table. Options of a constant count for every call that names it.
 */
const programs: Readonly<Record<string, readonly [name: string, options: string]>> = {
  '/bin/sh': ['dash', ''],
  '/lib/systemd/systemd-sysctl': ['systemd', ''],
  'apt-cache': ['apt', ''],
  'apt-config': ['apt', '--format'],
  'apt-get': ['apt', '--fix-broken --force-confold --print-uris --yes -o'],
  cat: ['coreutils', ''],
  chattr: ['e2fsprogs', ''],
  chpasswd: ['passwd', ''],
  diff: ['diffutils', '--label --unified'],
  docker: [
    'docker-ce-cli, docker-cli or docker.io',
    `--all --ansi --attachable --availability --compose-file --default-addr-pool --default-addr-pool-mask-length --detach
     --driver --env-file --file --filter --force --force-new-cluster --format --interactive --label --no-prune --no-trunc
     --opt --progress --project-directory --prune --quiet --resolve-image --subnet --tail --time --type -HUP -c -q -t`,
  ],
  dockerd: ['docker-ce or docker.io', '--config-file --validate --version'],
  dpkg: [
    'dpkg',
    '--audit --configure --force-confold --force-remove-reinstreq --pending --purge -a',
  ],
  'dpkg-query': ['dpkg', '--show --showformat'],
  'fail2ban-client': ['fail2ban', ''],
  fallocate: ['util-linux', '--length'],
  findmnt: ['mount', '--noheadings --output --target'],
  getent: ['libc-bin', ''],
  ip: ['iproute2', '--eval -json'],
  journalctl: [
    'systemd',
    '--boot --flush --grep --identifier --lines --no-pager --output --quiet --since --sync --vacuum-size',
  ],
  loginctl: ['systemd', '--no-legend --property'],
  mkswap: ['util-linux', ''],
  modprobe: ['kmod', '--showconfig'],
  nft: ['nftables', '--check --file'],
  'nvidia-container-cli': ['libnvidia-container-tools', ''],
  'nvidia-smi': ['nvidia-smi', '--list-gpus'],
  openssl: [
    'openssl',
    '-CA -CAkey -batch -config -days -keyout -new -newkey -nodes -out -pkeyopt -sha256 -x509',
  ],
  passwd: ['passwd', '--lock --quiet --status'],
  python3: ['python3', '-c'],
  redsocks: ['redsocks', '-c -t'],
  resolvectl: ['systemd-resolved', ''],
  rm: ['coreutils', '-rf'],
  runuser: ['util-linux', '--non-interactive --user -c -u'],
  sh: ['dash', '-c'],
  ss: ['iproute2', '--listening --no-header --numeric --processes --tcp -H -tlnp -uln'],
  ssh: ['openssh-client', '-Q -o'],
  'ssh-keygen': ['openssh-client', '-A -C -N -f -l -q -t'],
  sync: ['coreutils', '--file-system'],
  systemctl: [
    'systemd',
    '--failed --full --no-block --no-legend --no-pager --now --plain --property --quiet --state --value',
  ],
  'systemd-analyze': ['systemd', ''],
  'systemd-run': [
    'systemd',
    '--collect --description --on-active --pipe --property --quiet --socket-property --timer-property --unit --wait',
  ],
  tar: [
    'tar',
    '--directory --extract --file --gzip --no-same-owner --strip-components --wildcards -C -xzf',
  ],
  timedatectl: ['systemd', '--property --value'],
  ufw: ['ufw', '--force'],
  unix_chkpwd: ['libpam-modules-bin', ''],
  unshare: ['util-linux', '--fork --ipc --mount --net --pid --uts -c'],
  'update-ca-certificates': ['ca-certificates', '--fresh'],
  useradd: ['passwd', '--create-home --gid --shell'],
  usermod: ['passwd', '--append --groups'],
  visudo: ['sudo or sudo-rs', '--check --file'],
  wg: ['wireguard-tools', ''],
};

/** Calls whose program is a value. */
const unnamed = {
  'appliance/operations/transactions/phases.ts: `${folder}/${nodeBinary}`': 'Node of the release',
  'appliance/server/host/outside/probe.ts: program': 'ip and sysctl (procps)',
  'appliance/server/host/sshd/sshd.ts: sshdProgram': '/usr/sbin/sshd (openssh-server)',
  'appliance/stages/firewall/foreign-rules.ts: program': 'iptables and ip6tables, if installed',
  'appliance/stages/route/client/bring-up.ts: program': 'sing-box of the release',
  'appliance/stages/route/probe-destinations.ts: helper': '/usr/lib/apt/apt-helper (apt)',
  'appliance/stages/users/admin-account.ts: file':
    'usermod and chage (passwd), mkhomedir_helper (libpam-modules-bin)',
};

/** What shell scripts of the appliance call of coreutils, which Ubuntu 26.04 has from uutils, except mv and rm. */
const inScripts = {
  base64: '-d',
  cat: '',
  chmod: '',
  date: '',
  id: '-u',
  mkdir: '-p',
  mv: '-f',
  rm: '-f -rf',
  rmdir: '--ignore-fail-on-non-empty',
  sleep: '',
  stat: '-L -c',
  sync: '',
  wc: '-c',
};

/** The commands of the bootstrap, in Python. */
const inBootstrap = [
  'uname -m',
  'systemctl show -PNRestarts landfall-boot',
  'ln -sfn',
  'openssl dgst -sha256 -signature run/landfall/signature -verify {key}',
];

const sorted = (options: ReadonlySet<string>) => [...options].sort().join(' ');
const tableOf = (found: ReadonlyMap<string, ReadonlySet<string>>) =>
  Object.fromEntries([...found].map(([name, options]) => [name, sorted(options)]));

describe('the programs that the appliance starts on a server', () => {
  it('lists each program with its options', () => {
    const expected = Object.entries(programs).map(([name, [, options]]) => {
      return [name, options.split(/\s+/).join(' ')];
    });
    expect(tableOf(calledPrograms().programs)).toEqual(Object.fromEntries(expected));
  });

  it('lists each call whose program is a value', () => {
    expect([...new Set(calledPrograms().unnamed)].sort()).toEqual(Object.keys(unnamed));
  });

  it('lists the coreutils of its scripts with their options', () => {
    expect(tableOf(coreutilsInScripts())).toEqual(inScripts);
  });

  it('lists the commands of the bootstrap', () => {
    const python = ['fetch.py', 'socks5.py', 'unpack.py'].map((name) =>
      textOf(`appliance/bootstrap/${name}`),
    );
    const calls = python.join('\n').matchAll(/\b(?:getoutput|run)\(\[?f?'(.+?)'(?:, '(-\w+)')?/g);
    expect([...calls].map(([, command, option]) => [command, option].join(' ').trim())).toEqual(
      inBootstrap,
    );
  });
});
