import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Docker from 'dockerode';
import { type Daemon, startDaemon } from '../daemon.ts';
import { programPath } from '../packages/programs.ts';
import { Unmet } from '../unmet.ts';
import type { Workspace } from '../workspace.ts';
import { reserveNetworks } from './free-networks.ts';

/**
 * Starts a Docker that shares nothing with the machine's own: it has a separate containerd,
 * storage, socket and address range, and ignores /etc/docker. It does not change the machine's
 * firewall, forwarding and default bridge: networks are separate bridges, published ports use the
 * userland proxy, and containers have no egress beyond the machine.
 * @throws Unmet
 */
export async function startEngine(workspace: Workspace): Promise<Daemon> {
  const dockerd = programPath('dockerd');
  const containerd = programPath('containerd');
  if (process.getuid?.() !== 0) throw new Unmet('a separate Docker must be run as root');
  const folder = join(workspace.run, 'engine');
  await mkdir(folder, { mode: 0o710 });
  const networks = await reserveNetworks();
  const runtime = await startContainerd(containerd, folder, workspace.sockets);
  try {
    const engine = await startDockerd(dockerd, folder, workspace.sockets, {
      containerd: runtime.answer,
      range: networks.range,
    });
    const stop = async () => {
      await removeNetworks(engine.answer);
      await engine.stop();
      await runtime.stop();
      networks.release();
    };
    return { answer: engine.answer, stop };
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}

/** On exit, Docker stops its containers, but leaves the bridges of its networks behind. */
async function removeNetworks(socket: string): Promise<void> {
  const engine = new Docker({ socketPath: socket });
  for (const { Id } of await engine.listContainers({ all: true })) {
    await engine.getContainer(Id).remove({ force: true, v: true });
  }
  const builtIn = new Set(['bridge', 'host', 'none']);
  for (const { Id, Name } of await engine.listNetworks()) {
    if (!builtIn.has(Name)) await engine.getNetwork(Id).remove();
  }
}

async function startContainerd(command: string, folder: string, sockets: string): Promise<Daemon> {
  const socket = join(sockets, 'containerd.sock');
  const settings = join(folder, 'containerd.toml');
  await writeFile(settings, containerdSettings(folder, socket));
  return await startDaemon({
    command,
    args: ['--config', settings],
    log: join(folder, 'containerd.log'),
    ready: async () => ((await isSocket(socket)) ? socket : undefined),
  });
}

/** Excludes plugins for Kubernetes and for add-on folders in /opt. */
function containerdSettings(folder: string, socket: string): string {
  return `version = 2
root = "${join(folder, 'containerd')}"
state = "${join(folder, 'containerd-state')}"
disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.internal.v1.opt"]

[grpc]
address = "${socket}"
`;
}

async function startDockerd(
  command: string,
  folder: string,
  sockets: string,
  { containerd, range }: { readonly containerd: string; readonly range: string },
): Promise<Daemon> {
  const socket = join(sockets, 'docker.sock');
  const settings = join(folder, 'daemon.json');
  await writeFile(settings, '{}\n');
  const engine = new Docker({ socketPath: socket });
  return await startDaemon({
    command,
    args: [
      ...['--config-file', settings, '--containerd', containerd],
      ...['--host', `unix://${socket}`, '--group', 'root'],
      ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'docker.pid')],
      ...['--bridge', 'none', '--default-address-pool', `base=${range},size=24`],
      ...['--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false'],
    ],
    log: join(folder, 'dockerd.log'),
    ready: async () => {
      await engine.ping();
      return socket;
    },
  });
}

async function isSocket(path: string): Promise<boolean> {
  return (await stat(path)).isSocket();
}
