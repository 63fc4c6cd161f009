import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { overlap } from '../../../appliance/server/host/overlap.ts';
import { Unmet } from '../unmet.ts';

/** A range of networks that no other run on this machine uses until it is released. */
export interface FreeNetworks {
  readonly range: string;
  release(): void;
}

/** None of them is one that Landfall chooses on a server. */
const ranges = Array.from({ length: 32 }, (_, index) => `10.${150 + index}.0.0/16`);

/**
 * Reserves a range for the networks of a Docker. Its bridges appear only with its networks, so runs reserve
 * ranges by an abstract socket, which the kernel frees when a run ends.
 * @throws Unmet when all are in use
 */
export async function reserveNetworks(
  candidates: readonly string[] = ranges,
  used: readonly string[] = usedNetworks(),
): Promise<FreeNetworks> {
  for (const range of candidates.filter((each) => !used.some((other) => overlap(each, other)))) {
    const reservation = await reserve(range);
    if (reservation) return { range, release: () => reservation.close() };
  }
  throw new Unmet('every range for the networks of Docker is in use');
}

function usedNetworks(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .flatMap(({ family, cidr }) => (family === 'IPv4' && cidr !== null ? [cidr] : []));
}

/** Returns undefined if another run has it. */
async function reserve(range: string): Promise<Server | undefined> {
  const server = createServer().listen(`\0landfall-test-networks-${range}`);
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  return server.unref();
}
