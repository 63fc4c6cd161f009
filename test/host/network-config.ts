import type { HostDistribution } from '../setup/host-image.ts';
import type { Addresses } from './network.ts';

/** Docker has set the network up: cloud-init leaves it alone. */
const asItIs = 'version: 1\nconfig: disabled\n';

/**
 * The network configuration that a cloud gives to a new machine, for cloud-init. Where servers are
 * like Ubuntu's, cloud-init writes it down for netplan, and systemd-networkd sets the same addresses
 * that the container has. Interfaces are named: those of containers have no permanent MAC address.
 */
export function networkConfig(
  distribution: HostDistribution,
  own: Addresses,
  gateway: Addresses,
): string {
  if (distribution !== 'ubuntu-like') return asItIs;
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
