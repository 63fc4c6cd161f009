import { createServer } from 'node:net';
import { Host } from '../../../appliance/server/host/host.ts';
import { probeFromOutside } from '../../../appliance/server/host/outside/probe.ts';
import { runCommand } from '../../../appliance/server/host/run/command.ts';
import { probeTargetsOf } from '../../../appliance/server/host/sshd/ssh-from-outside.ts';

/*
 * probe-program.ts <waits> <address>...
 *
 * Listens at port 22 of each address in the role of sshd, and at a port that must stay closed.
 * Prints the probed state of these ports as JSON. Creates links and namespaces: run it only in a
 * separate network. Waits are JSON, or `undefined` for the defaults.
 */

const [ssh, closed] = [22, 8090];
const [waits = '', ...addresses] = process.argv.slice(2);

for (const host of addresses) await listen(host, ssh);
await listen('0.0.0.0', closed);
await listen('::', closed);
const listeners = addresses.map((address) => ({ address, port: ssh }));
const targets = [
  ...probeTargetsOf(listeners),
  { family: 4, port: closed } as const,
  { family: 6, port: closed } as const,
];
const probed = await probeFromOutside(
  new Host('/', runCommand),
  targets,
  waits === 'undefined' ? undefined : JSON.parse(waits),
);
console.log(JSON.stringify(probed.map(({ family, port, state }) => `${family} ${port} ${state}`)));
process.exit();

async function listen(host: string, port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen({ host, port, ipv6Only: host.includes(':') }, resolve);
  });
}
