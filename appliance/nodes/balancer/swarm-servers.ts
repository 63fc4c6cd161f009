import type { Host } from '../../server/host/host.ts';
import { nodeAt, type SwarmNode, swarmNodes } from '../swarm/docker-swarm.ts';
import { readMembers } from '../swarm/members.ts';
import { type EngineTask, engineTasks } from '../swarm/tasks.ts';
import { type BalancerState, type EngineState, isSwarmServer } from './states.ts';

/**
 * Gives the servers that HAProxy has found in DNS the names of their nodes, and adds the nodes that it
 * does not find, which are down. Docker knows both.
 */
export async function withSwarm(host: Host, state: BalancerState): Promise<BalancerState> {
  const members = await readMembers(host);
  const found = state.servers.filter(({ server }) => isSwarmServer(server));
  if (members.length + found.length === 0) return state;
  const [nodes, tasks] = await Promise.all([swarmNodes(host), engineTasks(host)]);
  const places = members.flatMap(({ name, address }) => {
    const node = nodeAt(nodes, address);
    const task = tasks.find(({ nodeId }) => nodeId === node?.id);
    return node ? [{ name, node, task }] : [];
  });
  const nameOf = (address = '') =>
    places.find(({ task }) => task?.addresses.includes(address.replace(/:\d+$/, '')))?.name;
  const named = state.servers.map((server) => ({
    ...server,
    name: (isSwarmServer(server.server) && nameOf(server.address)) || server.name,
  }));
  const shown = new Set(named.map(({ name }) => name));
  const lost = places.filter(({ name }) => !shown.has(name));
  return {
    ...state,
    servers: [...named, ...lost.map((place) => missing(place))],
  };
}

interface Place {
  readonly name: string;
  readonly node: SwarmNode;
  readonly task: EngineTask | undefined;
}

function whyMissing({ name, node: { isReady, isDrained }, task }: Place): string {
  if (!isReady) return 'Docker Swarm does not reach it';
  if (isDrained) return `it is drained; to use it again: sudo landfall node resume ${name}`;
  if (!task) return 'it has no Ollama yet';
  return task.error ? `its Ollama is ${task.state}: ${task.error}` : `its Ollama is ${task.state}`;
}

/** A node that an administrator drained is no fault. */
function missing(place: Place): EngineState {
  const { name, node } = place;
  const state = node.isReady && node.isDrained ? 'draining' : 'down';
  const none = {
    slots: 0,
    inFlight: 0,
    waiting: 0,
    perMinute: 0,
    chats: 0,
    answered: 0,
    failed: 0,
  };
  return { name, server: '', state, reason: whyMissing(place), ...none, backend: '', id: 0 };
}
