import { isFile, writeText } from '../host/files.ts';
import { firewallUnit } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { isEnabled } from '../host/systemd.ts';
import { renderFirewallUnit, renderNftablesDropIn } from './render-unit.ts';

export const firewallUnitFile = `etc/systemd/system/${firewallUnit}`;
export const nftablesDropInFile = 'etc/systemd/system/nftables.service.d/landfall.conf';

/** Whether the table is loaded at every boot, and again whenever nftables.service flushed it. */
export async function isUnitInPlace(host: Host): Promise<boolean> {
  return (
    (await isFile(host, firewallUnitFile, renderFirewallUnit())) &&
    (await isFile(host, nftablesDropInFile, renderNftablesDropIn())) &&
    (await isEnabled(host, firewallUnit))
  );
}

/** Sees to that; quick where it is so, and right to run again after a kill at any point. */
export async function installUnit(host: Host): Promise<void> {
  if (await isUnitInPlace(host)) return;
  await writeText(host, firewallUnitFile, renderFirewallUnit());
  await writeText(host, nftablesDropInFile, renderNftablesDropIn());
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--now', '--quiet', firewallUnit]);
}
