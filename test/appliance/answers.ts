import { throughPipes } from '../../appliance/server/host/run/pipes.ts';
import type { Answers } from './temporary-host.ts';

/*
 * Command results for test hosts, one table per area. A test overrides an entry by declaring the same
 * command prefix after the table.
 */

/** The clock of process start times. */
const clock: Answers = { 'cat /proc/self/stat': `1 (cat) S 0${' 0'.repeat(17)} 4711 0` };

/** An undo can be armed and confirmed. Its script is not run. */
export const undoAnswers: Answers = {
  ...clock,
  sync: '',
  'systemctl daemon-reload': '',
  'systemctl enable --quiet landfall-undo.service': '',
  'systemctl is-enabled --quiet landfall-undo.service': '',
  'systemctl stop landfall-undo-': '',
  'systemctl is-active --quiet landfall-undo-': 3,
  'systemd-run': '',
};

/** No systemd socket and no running sshd, so the listeners come from sshd's settings. */
export const sshAnswers: Answers = {
  'systemctl show --property=ActiveState,Listen': 'ActiveState=inactive\n',
  'systemctl show --property=MainPID': '0\n',
  'systemctl is-active --quiet ssh.socket': 3,
  '/usr/sbin/sshd -T': 'port 22\nlistenaddress 0.0.0.0:22\n',
};

/** UFW is installed and inactive; its commands succeed. */
export const ufwAnswers: Answers = {
  'ufw status': 'Status: inactive\n',
  'ufw limit': '',
  'ufw allow': '',
  'ufw delete': '',
  'ufw default deny incoming': '',
  'ufw --force enable': '',
};

/** The nftables table loads, its unit is enabled, and UFW's commands succeed. */
export const firewallAnswers: Answers = {
  ...ufwAnswers,
  'nft --check': '',
  'nft --file': '',
  'systemctl daemon-reload': '',
  'systemctl enable --quiet landfall-firewall.service': '',
  'systemctl start landfall-firewall.service': '',
  'systemctl is-enabled --quiet landfall-firewall.service': '',
};

/** The namespace for probes can be created. The test declares the result of the probe. */
export const probeAnswers: Answers = {
  'ip netns add landfall-probe': '',
  'ip netns delete landfall-probe': '',
  'ip link': '',
  'ip address add': '',
  'sysctl -q -w net.ipv6.conf.landfall-out.disable_ipv6=0': '',
};

/** Returns a stanza of `apt-cache policy`. */
export function policyOf(name: string, installed: string, candidate = installed): string {
  return `${name}:\n  Installed: ${installed}\n  Candidate: ${candidate}\n  Version table:\n *** ${installed} 500\n`;
}

/** apt and dpkg succeed. The test declares the installed packages. */
export const aptAnswers: Answers = {
  'apt-get': '',
  // The package sources have every package.
  'apt-cache policy': (line) =>
    line
      .split(' ')
      .slice(2)
      .map((name) => policyOf(name, '(none)', '1.0'))
      .join(''),
  'dpkg --configure': '',
  'dpkg --audit': '',
  'sync --file-system': '',
};

/** Docker is down. */
export const noEngine: Answers = { 'docker info': 1 };

/** Docker's settings are valid, and it can be started. */
export const engineAnswers: Answers = {
  'dockerd --validate': '',
  'systemctl daemon-reload': '',
  'systemctl is-enabled --quiet docker.service': 1,
  'systemctl enable --quiet docker.service': '',
  'systemctl is-active --quiet docker': 0,
  'systemctl reset-failed docker': '',
  'systemctl restart docker': '',
  // The administrator account does not exist.
  'getent passwd ops': 2,
};

/** Returns the start of the command that runs a confined program. */
export const piped = (program: string) => {
  const [file, args] = throughPipes(program, []);
  return [file, ...args].join(' ');
};

/** The command that checks a password. */
export const chkpwd = piped('unix_chkpwd');
