import { z } from 'zod';
import { engineNodePath } from '#contract/site/engines/engine-node.ts';
import type { EngineNode, Engines } from '#contract/site/engines/engines.ts';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { readClientPair } from '../../server/certificates/client-pair.ts';
import type { Host } from '../../server/host/host.ts';
import { type EngineModel, readModelList } from '../../server/ollama/ollama-api.ts';
import { NodeClient, type NodeTrust } from './node-client.ts';

/** Milliseconds per request. */
const timeout = 3000;

/** What a node says about itself. */
export interface NodeAnswer {
  /** Version of its release; undefined if it is no Landfall node, or does not answer. */
  readonly release: string | undefined;
  /** Undefined if it does not answer. */
  readonly models: readonly EngineModel[] | undefined;
}

const released = z.object({ release: z.string().min(1).max(64) });

/** Returns the certificates for requests to the nodes of a site. */
export async function trustOf(host: Host, { ca }: Pick<Site, 'ca'>): Promise<NodeTrust> {
  return { ca, client: await readClientPair(host) };
}

/** Asks all nodes at the same time for their release and their models. By name. */
export async function askNodes(
  { nodes }: Engines,
  trust: NodeTrust,
): Promise<ReadonlyMap<string, NodeAnswer>> {
  const answers = nodes.map(
    async (node) => [node.name, await askNode(node, trust)] as [string, NodeAnswer],
  );
  return new Map(await Promise.all(answers));
}

async function askNode(node: EngineNode, trust: NodeTrust): Promise<NodeAnswer> {
  // Only the gateway of a Landfall node tells a release, and it has TLS.
  const isEncrypted = new URL(node.url).protocol === 'https:';
  const [release, models] = await Promise.all([
    isEncrypted ? answerOf(node, trust, engineNodePath, readRelease) : undefined,
    answerOf(node, trust, '/api/tags', (body) => readModelList(JSON.stringify(body))),
  ]);
  return { release, models };
}

function readRelease(body: unknown): string {
  return plainLine(released.parse(body).release, 64);
}

/**
 * A node that fails is not asked again: HAProxy reports why it is down. Each request has a client of its
 * own, because a second one would connect only after the first has failed.
 */
async function answerOf<Value>(
  node: EngineNode,
  trust: NodeTrust,
  path: string,
  read: (body: unknown) => Value,
): Promise<Value | undefined> {
  const client = new NodeClient(node, trust, timeout);
  try {
    return read(await client.ask(path));
  } catch {
    return undefined;
  } finally {
    await client.close();
  }
}
