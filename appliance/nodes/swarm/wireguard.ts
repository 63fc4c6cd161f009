import type { Host } from '../../server/host/host.ts';
import { isPresent, type Service } from '../../server/host/service.ts';
import {
  disconnect as disconnectInterface,
  endpointOf,
  type Interface,
  interfaceService,
  handshakes as lastHandshakes,
} from '../../server/host/wireguard/interface.ts';
import type { Member } from './members.ts';
import { firstAddress, swarmLink, swarmNetwork } from './network.ts';
import { overlayRepair } from './repair-unit.ts';

/** The interface of the first server. */
export function firstInterface(key: string, port: number, members: readonly Member[]): Service {
  const peers = members.map(({ name, address, publicKey }) => {
    return { name, publicKey, allowed: `${address}/32` };
  });
  return swarmInterface({ address: firstAddress, key, port, peers });
}

interface NodeInterface {
  readonly address: string;
  readonly key: string;
  readonly peer: string;
  readonly host: string;
  readonly port: number;
}

/** The interface of a node. It reaches the other nodes through the first server. */
export function nodeInterface({ address, key, peer, ...first }: NodeInterface): Service {
  const endpoint = endpointOf(first);
  const peers = [{ name: 'the first server', publicKey: peer, allowed: swarmNetwork, endpoint }];
  return swarmInterface({ address, key, peers });
}

/** Returns when each server made its last connection, by public key: seconds since 1970, 0 for never. */
export async function handshakes(host: Host): Promise<ReadonlyMap<string, number>> {
  return await lastHandshakes(host, swarmLink);
}

/** Stops WireGuard, and removes its files and units. */
export async function disconnect(host: Host): Promise<void> {
  await disconnectInterface(host, swarmLink, anyInterface);
}

/** Returns whether this server has the interface, also after an interrupted removal. */
export async function hasInterface(host: Host): Promise<boolean> {
  return await isPresent(host, anyInterface);
}

const anyInterface = swarmInterface({ address: firstAddress, key: '', peers: [] });

function swarmInterface(settings: Interface): Service {
  const {
    files = [],
    units = [],
    ...service
  } = interfaceService(swarmLink, '20-landfall-swarm.conf', settings);
  return {
    ...service,
    files: [...files, ...overlayRepair.files],
    units: [...units, ...overlayRepair.units],
  };
}
