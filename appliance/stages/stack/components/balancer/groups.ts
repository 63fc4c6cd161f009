import { parseModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { components } from '#contract/components.ts';
import type { EngineNode, Engines } from '#contract/site/engines/engines.ts';
import { swarmPrefix } from '../../../../nodes/balancer/names.ts';
import { nodeAddresses } from '../../../../nodes/swarm/network.ts';
import { engineService } from '../../../../nodes/swarm/stack-file.ts';
import { addressInStack } from '../../address-in-stack.ts';

/** A server with Ollama as HAProxy sees it. */
export interface EngineServer {
  readonly name: string;
  /** Scheme, host and port. */
  readonly url: string;
  readonly slots: number;
  readonly weight: number;
  readonly backup: boolean;
  /** Whether its certificate is verified with an authority of its own. */
  readonly hasOwnCa: boolean;
  /** Set for the nodes of a Swarm, which have one name in DNS: how many there can be. */
  readonly count?: number;
}

/** Servers with the same models. Each server is in exactly one group, so that its slots are exact. */
export interface EngineGroup {
  /** 1 for the first one. */
  readonly number: number;
  /** Names as Ollama lists them. */
  readonly models: readonly string[];
  /** Models without which a server of the group counts as down: those that the site lists. */
  readonly required: readonly string[];
  readonly servers: readonly EngineServer[];
}

/** Returns the port of a group, where it lists its models. */
export function portOfGroup(number: number): number {
  return components.balancer.containerPort + number - 1;
}

/** `OLLAMA_NUM_PARALLEL` of this server, as in `compose.yaml`. */
export const localSlots = 1;

/**
 * Returns the groups of servers that have the same models. The first one gets requests for models that
 * no group lists. A node without a list has the models of this server.
 * @param localModels names as Ollama lists them
 */
export function engineGroups(engines: Engines, localModels: readonly string[]): EngineGroup[] {
  const members = [
    ...(engines.local === 'no'
      ? []
      : [{ server: localServer(engines), models: localModels, isListed: false }]),
    ...engines.nodes.map((node) => ({
      server: serverOf(node),
      models: node.models?.map(listed) ?? localModels,
      isListed: node.models !== undefined,
    })),
    ...(engines.swarm
      ? [{ server: swarmServers(engines.swarm.slots), models: localModels, isListed: false }]
      : []),
  ];
  const groups = new Map<string, typeof members>();
  for (const member of members) {
    const key = JSON.stringify([...member.models].sort());
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  return [...groups.values()].map((group, index) => {
    const models = [...new Set(group.flatMap((member) => member.models))].sort();
    return {
      number: index + 1,
      models,
      required: group.every(({ isListed }) => isListed) ? models : [],
      servers: group.map(({ server }) => server),
    };
  });
}

/** Models that the same groups offer. */
export interface Offer {
  readonly models: readonly string[];
  /** Those with a server that is no backup are first. */
  readonly groups: readonly EngineGroup[];
}

/** Returns which groups offer which models. */
export function offersOf(groups: readonly EngineGroup[]): Offer[] {
  const offers = new Map<string, { models: string[]; groups: EngineGroup[] }>();
  for (const model of new Set(groups.flatMap(({ models }) => models))) {
    const offering = groups
      .filter(({ models }) => models.includes(model))
      .sort((one, other) => Number(isBackup(one)) - Number(isBackup(other)));
    const key = offering.map(({ number }) => number).join();
    const offer = offers.get(key) ?? { models: [], groups: offering };
    offer.models.push(model);
    offers.set(key, offer);
  }
  return [...offers.values()];
}

/** Returns whether a group has backup servers only. */
export function isBackup({ servers }: EngineGroup): boolean {
  return servers.every(({ backup }) => backup);
}

function localServer({ local, swarm }: Engines): EngineServer {
  // On the overlay of a Swarm, `engine` is the name of its service: the Ollama of the nodes.
  const address = addressInStack('engine');
  const url = `http://${swarm ? `landfall-${address}` : address}`;
  const backup = local === 'backup';
  return { name: 'local', url, slots: localSlots, weight: 1, backup, hasOwnCa: false };
}

/** HAProxy has a server for each address of the name, and finds new ones. */
function swarmServers(slots: number): EngineServer {
  const url = `http://tasks.${engineService}:${components.engine.containerPort}`;
  const count = nodeAddresses.length;
  return { name: swarmPrefix, url, slots, weight: 1, backup: false, hasOwnCa: false, count };
}

function serverOf({ name, url, slots, weight, backup = false, ca }: EngineNode): EngineServer {
  return { name, url: new URL(url).origin, slots, weight, backup, hasOwnCa: ca !== undefined };
}

function listed(name: string): string {
  const parsed = parseModelName(name);
  return parsed ? shortModelName(parsed) : name;
}
