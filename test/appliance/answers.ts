import type { Answers } from './temporary-host.ts';

/*
 * Answers for hosts of the tests, one table for each thing that several stages do. What a test wants
 * to be otherwise it declares under the same beginning of the command line, after these.
 */

/** The clock of processes: an ordinary time since boot. */
const clock: Answers = { 'cat /proc/self/stat': `1 (cat) S 0${' 0'.repeat(17)} 4711 0` };

/** An undo can be armed and confirmed, and has not begun. Its script is not run. */
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

/** No systemd socket and no running sshd: its settings alone say where it listens. */
export const sshAnswers: Answers = {
  'systemctl show --property=ActiveState,Listen': 'ActiveState=inactive\n',
  'systemctl show --property=MainPID': '0\n',
  'systemctl is-active --quiet ssh.socket': 3,
  '/usr/sbin/sshd -T': 'port 22\nlistenaddress 0.0.0.0:22\n',
};

/** UFW is installed and off; what it is told succeeds. */
export const ufwAnswers: Answers = {
  'ufw status': 'Status: inactive\n',
  'ufw limit': '',
  'ufw allow': '',
  'ufw delete': '',
  'ufw default deny incoming': '',
  'ufw --force enable': '',
};

/** The table of the firewall loads, its unit is enabled, UFW does as it is told. */
export const firewallAnswers: Answers = {
  ...ufwAnswers,
  'nft --check': '',
  'nft --file': '',
  'systemctl daemon-reload': '',
  'systemctl enable --now --quiet landfall-firewall.service': '',
  'systemctl is-enabled --quiet landfall-firewall.service': '',
};

/** A namespace for probes from outside can be made; what the probe says is up to the test. */
export const probeAnswers: Answers = {
  'ip netns add landfall-probe': '',
  'ip netns delete landfall-probe': '',
  'ip link': '',
  'ip address add': '',
  'sysctl -q -w net.ipv6.conf.landfall-out.disable_ipv6=0': '',
};

/** apt and dpkg do as they are told; which packages are there is up to the test. */
export const aptAnswers: Answers = {
  'apt-get': '',
  'dpkg --configure': '',
  'dpkg --audit': '',
  'sync --file-system': '',
};

/** No container engine answers. */
export const noEngine: Answers = { 'docker info': 1 };

/** The settings of the engine are valid, and it can be started. */
export const engineAnswers: Answers = {
  'dockerd --validate': '',
  'systemctl daemon-reload': '',
  'systemctl is-enabled --quiet docker.service': 1,
  'systemctl enable --quiet docker.service': '',
  'systemctl is-active --quiet docker': 0,
  'systemctl restart docker': '',
};
