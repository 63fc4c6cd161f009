import type { HostDistribution } from '../../setup/debian/host-image.ts';
import type { Addresses } from '../network/network.ts';

/** Docker has configured the network, so cloud-init must not. */
const disabled = 'version: 1\nconfig: disabled\n';

/**
 * Renders the network configuration of a new machine for cloud-init. On Ubuntu-like servers,
 * cloud-init writes it for netplan, and systemd-networkd sets the addresses that the container
 * already has. It names the interface, because interfaces of containers have no permanent MAC
 * address.
 */
export function networkConfig(
  distribution: HostDistribution,
  own: Addresses,
  gateway: Addresses,
): string {
  if (distribution !== 'ubuntu-like' && distribution !== 'resolute-like') return disabled;
  return `version: 2
ethernets:
  eth0:
    addresses: [${own.v4}/24, '${own.v6}/64']
    routes:
      - { to: default, via: ${gateway.v4} }
      - { to: default, via: '${gateway.v6}' }
    nameservers: { addresses: [${gateway.v4}] }
`;
}
