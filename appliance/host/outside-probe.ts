import { randomInt } from 'node:crypto';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { z } from 'zod';
import type { Host } from './host.ts';

/** What a port looks like from outside. `filtered`: no answer of any kind. */
export type PortState = 'open' | 'refused' | 'filtered';

/** How TCP ports look over one version of IP. */
export interface ProbedFamily {
  readonly family: 4 | 6;
  readonly ports: Readonly<Record<string, PortState>>;
}

const space = 'landfall-probe';
/** No name of Docker's: what comes from there counts as coming from outside. */
const link = 'landfall-out';
const answerSchema = z.record(z.string(), z.enum(['open', 'refused', 'filtered']));

/**
 * Asks TCP ports of this server from outside: from a network namespace whose packets arrive over an
 * interface like any other. The namespace is made for this and gone afterwards.
 * @throws LandfallError COMMAND_FAILED where no namespace can be made
 */
export async function probeFromOutside(
  host: Host,
  ports: readonly number[],
): Promise<ProbedFamily[]> {
  await cleanUp(host);
  try {
    const addresses = await connectNamespace(host);
    return await Promise.all(
      addresses.map(async ([family, address]) => {
        const { stdout } = await host.run('ip', [
          ...['netns', 'exec', space, process.execPath, '--eval', probe],
          ...[address, ...ports.map(String)],
        ]);
        return { family, ports: answerSchema.parse(JSON.parse(stdout)) };
      }),
    );
  } finally {
    await cleanUp(host);
  }
}

/** Gives this server's addresses as the namespace reaches them. */
async function connectNamespace(host: Host): Promise<Array<readonly [4 | 6, string]>> {
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
  if (!taken.some(({ family, internal }) => family === 'IPv6' && !internal)) return [[4, `${v4}1`]];
  // New interfaces may be without IPv6 although others have it.
  await run(host, `sysctl -q -w net.ipv6.conf.${link}.disable_ipv6=0`);
  await inside('sysctl -q -w net.ipv6.conf.probe.disable_ipv6=0');
  await run(host, `ip address add ${v6}1/64 dev ${link} nodad`);
  await inside(`ip address add ${v6}${client}/64 dev probe nodad`);
  return [
    [4, `${v4}1`],
    [6, `${v6}1`],
  ];
}

const v6 = 'fd4c:616e:6466:616c::';

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

/** Run inside the namespace: asks all ports at once, prints a JSON object. */
const probe = `
const [address, ...ports] = process.argv.slice(1);
const ask = (port) => new Promise((resolve) => {
  const socket = require('node:net').connect({ host: address, port: Number(port) });
  const end = (state) => { socket.destroy(); resolve([port, state]); };
  socket.setTimeout(1500, () => end('filtered'));
  socket.once('connect', () => end('open')).once('error', () => end('refused'));
});
Promise.all(ports.map(ask)).then((states) => console.log(JSON.stringify(Object.fromEntries(states))));
`;
