import { dirname } from 'node:path';
import type { Opening } from '#contract/site/opening.ts';
import type { Host } from '../../host/host.ts';
import {
  captureMark,
  captureTable,
  clientRules,
  clientTable,
  ruleAfterClient,
  ruleByMark,
  ruleByPort,
  tableFile,
} from './names.ts';

/** Without it, `rp_filter=1` drops packets to containers: the check ignores marks by default. */
const setting = '/proc/sys/net/ipv4/conf/all/src_valid_mark';
/** Its value before, until the next boot. */
const beforeFile = 'run/landfall/capture.src_valid_mark';
const mark = `0x${captureMark.toString(16)}`;
/** The gateway serves HTTP/3, also where the firewall has no opening for it. */
const always: Opening = { protocol: 'udp', first: 443, last: 443 };

const families = `families=-4
[ ! -e /proc/net/if_inet6 ] || families='-4 -6'
`;

/**
 * Renders the script that turns the rules on; it can run again at any time. The rules are before those
 * of the client: marked packets, and UDP replies from open ports, jump over them to the main table.
 * The output hook is too late for UDP sockets on a wildcard address, hence the rules by port.
 *
 * `protocol kernel` makes systemd-networkd keep them; it removes other rules that it did not add.
 */
export function renderOn(host: Host, openings: readonly Opening[]): string {
  const before = host.path(beforeFile);
  const ports = udpPorts(openings);
  const jump = `goto ${ruleAfterClient}`;
  return `#!/bin/sh
# Made by Landfall. \`sudo landfall route off\` removes it.
set -e
${families}add() {
  version=$1 pref=$2
  shift 2
  [ -n "$(ip $version rule show pref $pref)" ] ||
    ip $version rule add protocol kernel pref $pref "$@"
}
if [ ! -e ${before} ]; then
  mkdir -p ${dirname(before)}
  cat ${setting} >${before}
fi
echo 1 >${setting}
for family in $families; do
  add $family ${ruleAfterClient} nop
  add $family ${ruleByMark} fwmark ${mark}/${mark} ${jump}
  while ip $family rule delete pref ${ruleByPort} 2>/dev/null; do :; done
  for port in ${ports.join(' ')}; do
    ip $family rule add protocol kernel pref ${ruleByPort} ipproto udp sport $port ${jump}
  done
done
nft --file ${host.path(tableFile)}
`;
}

/** Returns the lines that remove all rules, including those of a client that was killed. */
export function offLines(host: Host): string {
  const before = host.path(beforeFile);
  const prefs = [
    ...Array.from({ length: 11 }, (_, index) => clientRules + index),
    ruleByMark,
    ruleByPort,
    ruleAfterClient,
  ];
  return `${families}for family in $families; do
  for pref in ${prefs.join(' ')}; do
    while ip $family rule delete pref $pref 2>/dev/null; do :; done
  done
  ip $family route flush table ${clientTable} 2>/dev/null
done
nft delete table ${captureTable.join(' ')} 2>/dev/null
if [ -e ${before} ]; then
  cat ${before} >${setting}
  rm -f ${before}
fi
`;
}

/** Renders the script that turns the rules off. */
export function renderOff(host: Host): string {
  return `#!/bin/sh
# Made by Landfall. \`sudo landfall route off\` runs it.
${offLines(host)}true
`;
}

/** Returns ports and ranges as ip-rule(8) has them, such as `443` and `6000-6010`. */
function udpPorts(openings: readonly Opening[]): string[] {
  const udp = [always, ...openings].filter(({ protocol }) => protocol === 'udp');
  return [
    ...new Set(udp.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))),
  ];
}
