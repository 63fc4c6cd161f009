import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { z } from 'zod';
import type { Host } from '../host.ts';

/**
 * The state of a port as seen from outside. `refused`: nothing listens; `rejected`: a packet filter answers;
 * `filtered`: no answer.
 */
const portStates = ['open', 'refused', 'rejected', 'filtered'] as const;
type PortState = (typeof portStates)[number];

/** A TCP port of this server over one IP version. */
export interface ProbeTarget {
  readonly family: 4 | 6;
  readonly port: number;
  /**
   * Set if the service listens only on addresses that the probe cannot reach. The probe then opens a
   * temporary listener on this port, to test whether packets arrive.
   */
  readonly standIn?: boolean;
}

export interface ProbeResult extends ProbeTarget {
  readonly state: PortState;
}

/** Time without an answer after which a port counts as filtered. Milliseconds. */
export interface Waits {
  /** Before any answer. A new link may lose packets, and TCP retransmits after one second. */
  readonly unproved: number;
  /** After a port of the same IP version has answered, which proves that the link works. */
  readonly proved: number;
}

const defaultWaits: Waits = { unproved: 1500, proved: 500 };

const space = 'landfall-probe';
/** Must not look like an interface of Docker, so that the firewall treats it as external. */
const link = 'landfall-out';
const answerSchema = z.array(z.enum(portStates));

/**
 * Probes TCP ports of this server from outside: from a temporary network namespace, whose packets
 * arrive over an external interface.
 * @returns the targets with their states; IPv6 targets are left out if the server has no IPv6
 * @throws LandfallError COMMAND_FAILED if the namespace cannot be created
 */
export async function probeFromOutside(
  host: Host,
  targets: readonly ProbeTarget[],
  waits: Waits = defaultWaits,
): Promise<ProbeResult[]> {
  await cleanUp(host);
  try {
    const addresses = await connectNamespace(host);
    const asked = targets.flatMap((target) => {
      const address = addresses.get(target.family);
      return address === undefined ? [] : [{ ...target, address }];
    });
    const states = await withTemporaryListeners(asked, () => probe(host, asked, waits));
    return asked.flatMap(({ address: _, ...target }, index) => {
      const state = states[index];
      return state === undefined ? [] : [{ ...target, state }];
    });
  } finally {
    await cleanUp(host);
  }
}

async function probe(
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

/** Returns the addresses under which the namespace reaches this server, by IP version. */
async function connectNamespace(host: Host): Promise<ReadonlyMap<4 | 6, string>> {
  const taken = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const v4 = freeNetwork(taken);
  // The address varies, because the connection limits of SSH apply per address.
  const client = randomInt(2, 255);
  const inside = (line: string) => run(host, `ip netns exec ${space} ${line}`);
  await run(host, `ip netns add ${space}`);
  await run(host, `ip link add ${link} type veth peer name probe netns ${space}`);
  await run(host, `ip address add ${v4}1/24 dev ${link}`);
  await run(host, `ip link set ${link} up`);
  await inside(`ip address add ${v4}${client}/24 dev probe`);
  await inside('ip link set probe up');
  if (!taken.some(leadsOutOverIPv6)) return new Map([[4, `${v4}1`]]);
  // IPv6 may be disabled on new interfaces by default.
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

/** Reports whether an address is a routable IPv6 address. Every interface has a link-local one. */
export function leadsOutOverIPv6({
  family,
  internal,
  address,
}: Pick<NetworkInterfaceInfo, 'family' | 'internal' | 'address'>): boolean {
  return family === 'IPv6' && !internal && !/^fe[89ab]/i.test(address);
}

/** Returns a documentation network (RFC 5737) that this server does not use. */
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
  // Deleting the namespace deletes both ends of the link. A link outside of it is deleted separately.
  await host.succeeds('ip', ['netns', 'delete', space]);
  await host.succeeds('ip', ['link', 'delete', link]);
}

/** An address and port, with a temporary listener if `standIn` is set. */
interface TemporaryListener {
  readonly address: string;
  readonly port: number;
  readonly standIn?: boolean;
}

/**
 * Listens on each target with `standIn` while the work runs, and closes every connection at once.
 * A port that another process already listens on is left to that process.
 */
export async function withTemporaryListeners<Result>(
  targets: readonly TemporaryListener[],
  work: () => Promise<Result>,
): Promise<Result> {
  const servers = await Promise.all(targets.filter(({ standIn }) => standIn).map(listen));
  try {
    return await work();
  } finally {
    for (const server of servers) server.close();
  }
}

async function listen({ address, port }: TemporaryListener): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen({ host: address, port }, resolve);
  });
  return server;
}

/**
 * JavaScript for `node --eval`, run inside the namespace. The arguments are the two timeouts in
 * milliseconds and the targets (`address,port`). It probes all targets at once and prints a JSON list
 * of states. If any port answers, the silent ones are probed once more, because a link that was not
 * ready may have lost the first packet.
 */
const outsideProbeProgram = `
const { connect } = require('node:net');
const { setTimeout: sleep } = require('node:timers/promises');
const [unproved, proved, ...targets] = process.argv.slice(1);

const probe = (target, timeout) => new Promise((resolve) => {
  const [host, port] = target.split(',');
  const socket = connect({ host, port: Number(port) });
  const end = (state) => { socket.destroy(); resolve(state); };
  // Timers run before I/O: on a busy machine an answer may already be waiting.
  socket.setTimeout(Number(timeout), () => setImmediate(end, 'filtered'));
  socket.once('connect', () => end('open'));
  socket.once('error', ({ code }) => end(code === 'ECONNREFUSED' ? 'refused' : 'rejected'));
});

/** Probes the targets of one IP version. */
const probeAll = async (targets) => {
  const states = new Map();
  const record = async (target, timeout) => {
    const state = await probe(target, timeout);
    // An answer takes precedence over a timeout.
    if (state !== 'filtered' || !states.has(target)) states.set(target, state);
  };
  const answers = targets.map(async (target) => {
    await record(target, unproved);
    if (states.get(target) === 'filtered') throw new Error('no answer');
  });
  const answered = await Promise.any(answers).then(() => true, () => false);
  if (!answered) return states;
  // Open ports answer at about the same time. The pause avoids a second connection to sshd.
  await sleep(50);
  await Promise.all(targets.filter((target) => !states.has(target)).map((target) => record(target, proved)));
  return states;
};

const isIPv6 = (target) => target.includes(':');
const byVersion = [targets.filter(isIPv6), targets.filter((target) => !isIPv6(target))];
Promise.all(byVersion.map(probeAll)).then((found) => {
  const states = new Map(found.flatMap((states) => [...states]));
  console.log(JSON.stringify(targets.map((target) => states.get(target))));
  // Pending probes would keep the process alive.
  process.exit();
});
`;
