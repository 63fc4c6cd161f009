import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { readJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { docker, toDocker } from '../../server/host/docker-daemon.ts';
import { anyCode, type Host } from '../../server/host/host.ts';
import { firstAddress, overlay, swarmMtu, swarmPool, swarmPorts } from './network.ts';

const stateSchema = z.object({
  LocalNodeState: z.string(),
  NodeID: z.string(),
  NodeAddr: z.string(),
  ControlAvailable: z.boolean(),
  Error: z.string(),
  RemoteManagers: z.array(z.object({ Addr: z.string() })).nullish(),
});

/** How Docker of this server sees its Swarm. */
interface SwarmState {
  /** `inactive`, `pending`, `active`, `error` or `locked`. */
  readonly state: string;
  readonly isManager: boolean;
  /** The address that other servers use for it. */
  readonly address: string;
  readonly error: string;
  /** `host:port` of the managers. */
  readonly managers: readonly string[];
}

/** Returns whether Docker is in a Swarm. @throws LandfallError COMMAND_FAILED, DOCKER_UNREACHABLE */
export async function swarmState(host: Host): Promise<SwarmState> {
  const { stdout } = await host.run('docker', ['info', '--format', '{{json .Swarm}}']);
  const found = readJson(stateSchema, stdout);
  if (!found) throw unexpected();
  return {
    state: found.LocalNodeState,
    isManager: found.ControlAvailable,
    address: found.NodeAddr,
    error: plainLine(found.Error, 300),
    managers: (found.RemoteManagers ?? []).map(({ Addr }) => plainLine(Addr, 100)),
  };
}

/** Returns the major version of the running Docker. */
export async function dockerMajor(host: Host): Promise<number> {
  const { stdout } = await host.run('docker', ['version', '--format', '{{.Server.Version}}']);
  return Number.parseInt(stdout, 10);
}

const addressesOf = (address: string) => [
  ...['--advertise-addr', address, '--data-path-addr', address],
  ...['--listen-addr', `${address}:${swarmPorts.manager}`],
];

/** Makes this server the manager of a new Swarm, or of a restored one. */
export async function initSwarm(host: Host, isRestored = false): Promise<void> {
  const pool = [
    ...['--default-addr-pool', swarmPool.base],
    ...['--default-addr-pool-mask-length', `${swarmPool.size}`],
  ];
  const how = isRestored ? ['--force-new-cluster'] : pool;
  await host.run('docker', ['swarm', 'init', ...how, ...addressesOf(firstAddress)]);
}

/**
 * Joins the Swarm of the first server.
 * @throws LandfallError COMMAND_FAILED with Docker's reason, DOCKER_UNREACHABLE
 */
export async function joinSwarm(host: Host, address: string, token: string): Promise<void> {
  await ensureGatewayBridge(host);
  // An argument of `docker swarm join` would be visible to every user of the server.
  const settings = {
    ListenAddr: `${address}:${swarmPorts.manager}`,
    AdvertiseAddr: address,
    DataPathAddr: address,
    RemoteAddrs: [`${firstAddress}:${swarmPorts.manager}`],
    JoinToken: token,
  };
  const response = docker.request(
    toDocker(host),
    {
      ...{ origin: 'http://docker', path: '/swarm/join', method: 'POST' },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
      signal: AbortSignal.timeout(60_000),
    },
    (words) => {
      const problems = [{ message: plainLine(words, 300) }];
      return new LandfallError('COMMAND_FAILED', 'Docker did not join the Swarm', { problems });
    },
  );
  for await (const _ of response);
}

/** Makes this server leave its Swarm, also as a manager. */
export async function leaveSwarm(host: Host): Promise<void> {
  await host.run('docker', ['swarm', 'leave', '--force'], { accept: anyCode, seconds: 60 });
}

/** Returns Docker's token for workers. */
export async function workerToken(host: Host): Promise<string> {
  const { stdout } = await host.run('docker', ['swarm', 'join-token', '--quiet', 'worker']);
  return stdout.trim();
}

/**
 * Creates the bridge through which containers of an overlay reach other networks, before Swarm does. With
 * it, published ports are on loopback only, as those of other networks.
 */
export async function ensureGatewayBridge(host: Host): Promise<void> {
  const name = 'docker_gwbridge';
  if (await hasNetwork(host, name)) return;
  const options = {
    'com.docker.network.bridge.name': name,
    'com.docker.network.bridge.host_binding_ipv4': '127.0.0.1',
    'com.docker.network.bridge.enable_icc': 'false',
    'com.docker.network.bridge.enable_ip_masquerade': 'true',
  };
  const args = Object.entries(options).flatMap(([key, value]) => ['--opt', `${key}=${value}`]);
  await host.run('docker', ['network', 'create', ...args, name]);
}

/** Creates the overlay. Its packets have the size that fits into WireGuard. */
export async function ensureOverlay(host: Host): Promise<void> {
  if (await hasNetwork(host, overlay.name)) return;
  const mtu = `com.docker.network.driver.mtu=${swarmMtu}`;
  const args = ['--driver', 'overlay', '--attachable', '--subnet', overlay.subnet, '--opt', mtu];
  await host.run('docker', ['network', 'create', ...args, overlay.name]);
}

/** Returns whether Docker has a network of this name. */
export async function hasNetwork(host: Host, name: string): Promise<boolean> {
  return await host.succeeds('docker', ['network', 'inspect', name]);
}

const nodeSchema = z.array(
  z.object({
    ID: z.string(),
    Spec: z.object({ Role: z.string(), Availability: z.string() }),
    Description: z.object({
      Hostname: z.string(),
      Engine: z.object({ EngineVersion: z.string() }),
    }),
    Status: z.object({ State: z.string(), Addr: z.string() }),
  }),
);

/** A server of the Swarm. */
export interface SwarmNode {
  readonly id: string;
  readonly isManager: boolean;
  readonly isDrained: boolean;
  readonly isReady: boolean;
  /** On the interface of WireGuard. */
  readonly address: string;
  readonly docker: string;
}

/** Returns the servers of the Swarm. Only the manager knows them. */
export async function swarmNodes(host: Host): Promise<SwarmNode[]> {
  const { stdout: ids } = await host.run('docker', ['node', 'ls', '--quiet']);
  const list = ids.split('\n').filter((id) => id !== '');
  if (list.length === 0) return [];
  // A node may have been removed since.
  const { stdout } = await host.run('docker', ['node', 'inspect', ...list], { accept: [1] });
  const found = readJson(nodeSchema, stdout);
  if (!found) throw unexpected();
  return found.map(({ ID, Spec, Description, Status }) => ({
    id: ID,
    isManager: Spec.Role === 'manager',
    isDrained: Spec.Availability === 'drain',
    isReady: Status.State === 'ready',
    address: plainLine(Status.Addr, 100),
    docker: plainLine(Description.Engine.EngineVersion, 40),
  }));
}

/**
 * Returns the node at an address. A server that left and joined again is in the Swarm twice, once as one
 * that is not ready.
 */
export function nodeAt(nodes: readonly SwarmNode[], address: string): SwarmNode | undefined {
  const found = nodes.filter((node) => node.address === address);
  return found.find(({ isReady }) => isReady) ?? found[0];
}

/** Forgets a node, which must join again. */
export async function removeNode(host: Host, id: string): Promise<void> {
  await host.run('docker', ['node', 'rm', '--force', id], { accept: [1] });
}

/** Takes a node out of the Swarm's placement, or back. Its task stops at once. */
export async function setAvailability(
  host: Host,
  id: string,
  availability: 'active' | 'drain',
): Promise<void> {
  await host.run('docker', ['node', 'update', '--availability', availability, id]);
}

function unexpected(): LandfallError {
  return new LandfallError('DOCKER_UNREACHABLE', 'Docker returned an unexpected response', {
    hint: {
      en: 'Check the service: sudo systemctl status docker; sudo journalctl -u docker',
      zh: '检查服务：sudo systemctl status docker；sudo journalctl -u docker',
    },
  });
}
