import { firewallTable } from '../../firewall/public.ts';

/** The TUN interface of the proxy client. At most 15 characters (IFNAMSIZ). */
export const captureLink = 'landfall0';
/** The mark of packets that never enter the TUN interface: one bit, so other marks stay usable. */
export const captureMark = 0x1000_0000;
/** The nftables table, separate from that of the firewall. */
export const captureTable = [firewallTable[0], 'landfall_route'] as const;
/** The routing table of the proxy client, and the first of its eleven rules. */
export const clientTable = 2022;
export const clientRules = 9000;
/** Preferences of our rules: by mark, by UDP port, and their target after those of the client. */
export const ruleByMark = 8000;
export const ruleByPort = 8001;
export const ruleAfterClient = 9999;

/** Name of the armed undo. */
export const captureUndo = 'capture';
/** Time for the administrator to log in again and confirm. Seconds. */
export const confirmWithin = 180;

/** Loads rules and table before the network; stopping it removes them. */
export const captureUnit = 'landfall-capture.service';
export const captureUnitFile = `etc/systemd/system/${captureUnit}`;
export const captureFolder = 'etc/landfall/route/capture';
export const onScript = `${captureFolder}/on.sh`;
export const offScript = `${captureFolder}/off.sh`;
export const tableFile = `${captureFolder}/rules.nft`;
/** What the client adds to the configuration of each role. */
export const overlayFile = (role: 'candidate' | 'active') => `${captureFolder}/${role}.json`;
export const clientDropIn = 'etc/systemd/system/landfall-client@.service.d/capture.conf';
export const nftablesDropIn = 'etc/systemd/system/nftables.service.d/landfall-capture.conf';
export const networkdDropIn = 'etc/systemd/networkd.conf.d/landfall-capture.conf';
