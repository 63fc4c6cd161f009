import { expect, it } from 'vitest';
import type { PortState } from '../network/outsider.ts';
import type { Premises } from './premises.ts';

/** Ports that must be open. */
const wanted = [22, 80, 443];

/** Ports with a listener on the server, and ports that are often open. */
const others = [
  ...[21, 25, 53, 111, 1080, 2375, 2376, 3000, 3001, 3210, 3389, 5000, 5432, 6379, 8000],
  ...[8080, 8090, 8888, 9000, 9090, 9323, 11434, 18080],
];

/** Tests that only SSH, HTTP and HTTPS are open to a new client. */
export function itExposesOnlyOpenPorts(premises: () => Premises): void {
  it.each(['v4', 'v6'] as const)('shows only SSH, HTTP and HTTPS over IP%s', async (family) => {
    const { cloud, host } = premises();
    // Probes of SSH count as attempts, so each probe uses a new client.
    const stranger = await cloud.outsider();
    const seen = await stranger.ports(host.addresses[family], [...wanted, ...others]);
    expect(portsThatAre('open', seen)).toEqual(wanted);
  });
}

function portsThatAre(state: PortState, seen: Readonly<Record<number, PortState>>): number[] {
  return Object.entries(seen)
    .filter(([, is]) => is === state)
    .map(([port]) => Number(port));
}
