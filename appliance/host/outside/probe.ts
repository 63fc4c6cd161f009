import { randomInt } from 'node:crypto';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { z } from 'zod';
import type { Host } from '../host.ts';
import { outsideProbeProgram } from './probe-program.ts';
import { withTemporaryListeners } from './temporary-listeners.ts';

/** What a port looks like from outside. `filtered`: no answer of any kind. */
type PortState = 'open' | 'refused' | 'filtered';

/** A TCP port of this server over one version of IP. */
export interface Place {
  readonly family: 4 | 6;
  readonly port: number;
  /**
   * Whether its program listens on addresses that the probe cannot ask. Then the probe listens in its
   * stead, for as long as it asks: what is found out is whether anything gets there.
   */
  readonly standIn?: boolean;
}

export interface ProbedPlace extends Place {
  readonly state: PortState;
}

/** How long a port may be silent before it counts as filtered. Milliseconds. */
export interface Waits {
  /** While nothing has answered: a new link may lose packets, and TCP sends them again after a second. */
  readonly unproved: number;
  /** Once a port of the same version of IP has answered, which proves the way there and back. */
  readonly proved: number;
}

const usualWaits: Waits = { unproved: 1500, proved: 500 };

const space = 'landfall-probe';
/** No name of Docker's: what comes from there counts as coming from outside. */
const link = 'landfall-out';
const answerSchema = z.array(z.enum(['open', 'refused', 'filtered']));

/**
 * Asks TCP ports of this server from outside: from a network namespace whose packets arrive over an
 * interface like any other. The namespace is made for this and gone afterwards.
 * @returns the places with their states, without those of IPv6 where the server has none
 * @throws LandfallError COMMAND_FAILED where no namespace can be made
 */
export async function probeFromOutside(
  host: Host,
  places: readonly Place[],
  waits: Waits = usualWaits,
): Promise<ProbedPlace[]> {
  await cleanUp(host);
  try {
    const addresses = await connectNamespace(host);
    const asked = places.flatMap((place) => {
      const address = addresses.get(place.family);
      return address === undefined ? [] : [{ ...place, address }];
    });
    const states = await withTemporaryListeners(asked, () => ask(host, asked, waits));
    return asked.flatMap(({ address: _, ...place }, index) => {
      const state = states[index];
      return state === undefined ? [] : [{ ...place, state }];
    });
  } finally {
    await cleanUp(host);
  }
}

/** The state of each, in their order. */
async function ask(
  host: Host,
  asked: ReadonlyArray<{ readonly address: string; readonly port: number }>,
  { unproved, proved }: Waits,
): Promise<PortState[]> {
  const { stdout } = await host.run('ip', [
    ...['netns', 'exec', space, process.execPath, '--eval', outsideProbeProgram],
    ...[`${unproved}`, `${proved}`],
    ...asked.map(({ address, port }) => `${address},${port}`),
  ]);
  return answerSchema.length(asked.length).parse(JSON.parse(stdout));
}

/** Gives this server's addresses as the namespace reaches them, by version of IP. */
async function connectNamespace(host: Host): Promise<ReadonlyMap<4 | 6, string>> {
  const taken = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const v4 = freeNetwork(taken);
  // Each time another one: the limits of connections to SSH are per address.
  const client = randomInt(2, 255);
  const inside = (line: string) => run(host, `ip netns exec ${space} ${line}`);
  await run(host, `ip netns add ${space}`);
  await run(host, `ip link add ${link} type veth peer name probe netns ${space}`);
  await run(host, `ip address add ${v4}1/24 dev ${link}`);
  await run(host, `ip link set ${link} up`);
  await inside(`ip address add ${v4}${client}/24 dev probe`);
  await inside('ip link set probe up');
  if (!taken.some(leadsOutOverIPv6)) return new Map([[4, `${v4}1`]]);
  // New interfaces may be without IPv6 although others have it.
  await run(host, `sysctl -q -w net.ipv6.conf.${link}.disable_ipv6=0`);
  await inside('sysctl -q -w net.ipv6.conf.probe.disable_ipv6=0');
  await run(host, `ip address add ${v6}1/64 dev ${link} nodad`);
  await inside(`ip address add ${v6}${client}/64 dev probe nodad`);
  return new Map([
    [4, `${v4}1`],
    [6, `${v6}1`],
  ]);
}

const v6 = 'fd4c:616e:6466:616c::';

/** Every interface makes itself a link-local address; nobody comes from afar over that. */
export function leadsOutOverIPv6({
  family,
  internal,
  address,
}: Pick<NetworkInterfaceInfo, 'family' | 'internal' | 'address'>): boolean {
  return family === 'IPv6' && !internal && !/^fe[89ab]/i.test(address);
}

/** One of the networks that are kept for examples, and that this server is not in. */
function freeNetwork(taken: readonly NetworkInterfaceInfo[]): string {
  const networks = ['192.0.2.', '198.51.100.', '203.0.113.'];
  const free = networks.find(
    (network) => !taken.some(({ address }) => address.startsWith(network)),
  );
  return free ?? '203.0.113.';
}

async function run(host: Host, line: string): Promise<void> {
  const [program = '', ...args] = line.split(' ');
  await host.run(program, args);
}

async function cleanUp(host: Host): Promise<void> {
  // Both ends of the link go with the namespace; one that was never moved there goes by itself.
  await host.succeeds('ip', ['netns', 'delete', space]);
  await host.succeeds('ip', ['link', 'delete', link]);
}
