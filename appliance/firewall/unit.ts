import { isFile, writeText } from '../host/files.ts';
import { firewallUnit } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { isEnabled } from '../host/systemd.ts';
import { renderFirewallUnit, renderNftablesDropIn } from './render-unit.ts';

export const firewallUnitFile = `etc/systemd/system/${firewallUnit}`;
export const nftablesDropInFile = 'etc/systemd/system/nftables.service.d/landfall.conf';

/** Returns whether the table loads at boot and after each flush by nftables.service. */
export async function isUnitInPlace(host: Host): Promise<boolean> {
  return (
    (await isFile(host, firewallUnitFile, renderFirewallUnit())) &&
    (await isFile(host, nftablesDropInFile, renderNftablesDropIn())) &&
    (await isEnabled(host, firewallUnit))
  );
}

/** Installs and enables the unit. Idempotent, also after an interruption. */
export async function installUnit(host: Host): Promise<void> {
  if (await isUnitInPlace(host)) return;
  await writeText(host, firewallUnitFile, renderFirewallUnit());
  await writeText(host, nftablesDropInFile, renderNftablesDropIn());
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--now', '--quiet', firewallUnit]);
}
