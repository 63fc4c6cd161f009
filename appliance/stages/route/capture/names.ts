import { firewallTable } from '../../firewall/public.ts';

const unit = 'landfall-capture.service';
const folder = 'etc/landfall/route/capture';

/** Names, numbers and paths of the capture. */
export const capture = {
  /** The TUN interface of the proxy client. At most 15 characters (IFNAMSIZ). */
  link: 'landfall0',
  /** The mark of packets that never enter the TUN interface: one bit, so other marks stay usable. */
  mark: 0x1000_0000,
  /** The nftables table, separate from that of the firewall. */
  table: [firewallTable[0], 'landfall_route'],
  /** The routing table of the proxy client, and the first of its eleven rules. */
  clientTable: 2022,
  clientRules: 9000,
  /** Preferences of our rules: by mark, by UDP port, and their target after those of the client. */
  ruleByMark: 8000,
  ruleByPort: 8001,
  ruleAfterClient: 9999,
  /** Name of the armed undo. */
  undo: 'capture',
  /** Time for the administrator to log in again and confirm. Seconds. */
  confirmWithin: 180,
  /** Loads rules and table before the network; stopping it removes them. */
  unit,
  unitFile: `etc/systemd/system/${unit}`,
  folder,
  onScript: `${folder}/on.sh`,
  offScript: `${folder}/off.sh`,
  tableFile: `${folder}/rules.nft`,
  /** What the client adds to the configuration of each role. */
  overlay: (role: 'candidate' | 'active') => `${folder}/${role}.json`,
  clientDropIn: 'etc/systemd/system/landfall-client@.service.d/capture.conf',
  nftablesDropIn: 'etc/systemd/system/nftables.service.d/landfall-capture.conf',
  networkdDropIn: 'etc/systemd/networkd.conf.d/landfall-capture.conf',
} as const;
