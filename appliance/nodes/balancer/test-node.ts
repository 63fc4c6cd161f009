import { z } from 'zod';
import { isSameModel } from '#contract/bundle/model-name.ts';
import type { EngineNode } from '#contract/site/engines/engines.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { type EngineModel, findListed, readModelList } from '../../server/ollama/ollama-api.ts';
import { NodeClient, type NodeTrust } from './node-client.ts';

/** Milliseconds for a request; a model may be loaded first. */
const timeout = 600_000;
/** Tokens of the generation that measures the speed. */
const tokens = 32;

/** What the test of a node found. */
export interface NodeTest {
  readonly name: string;
  readonly version?: string;
  /** The model that generated, with its speed in tokens per second. */
  readonly model?: string;
  readonly speed?: number;
  readonly problems: readonly string[];
}

const generated = z.object({
  eval_count: z.number().positive(),
  eval_duration: z.number().positive(),
});

/**
 * Tests a node from this server: its certificate, its models, and one generation.
 * @param models names of the models that it should have; it generates with the first one
 * @param known models of this server, whose digests it should have
 */
export async function testNode(
  node: EngineNode,
  trust: NodeTrust,
  models: readonly string[],
  known: readonly EngineModel[],
): Promise<NodeTest> {
  const client = new NodeClient(node, trust, timeout);
  const { name } = node;
  try {
    const { version } = z
      .object({ version: z.string().max(64) })
      .parse(await client.ask('/api/version'));
    const listed = readModelList(JSON.stringify(await client.ask('/api/tags')));
    const missing = models.filter((model) => !findListed(listed, model));
    const problems = [
      ...missing.map((model) => `the model ${model} is missing`),
      ...otherDigests(listed, known, models),
    ];
    const model = models.find((each) => !missing.includes(each));
    if (model === undefined) return { name, version: plainLine(version), problems };
    const body = {
      model,
      prompt: 'Count to twenty.',
      stream: false,
      options: { num_predict: tokens },
    };
    const { eval_count, eval_duration } = generated.parse(await client.ask('/api/generate', body));
    const speed = Math.round((eval_count / (eval_duration / 1e9)) * 10) / 10;
    return { name, version: plainLine(version), model, speed, problems };
  } catch (error) {
    return { name, problems: [reasonOf(error)] };
  } finally {
    await client.close();
  }
}

/** The same name with another digest gives other answers, depending on the server. */
function otherDigests(
  listed: readonly EngineModel[],
  known: readonly EngineModel[],
  models: readonly string[],
): string[] {
  return known
    .filter(({ name }) => models.some((model) => isSameModel(model, name)))
    .filter(({ name, digest }) => {
      const found = findListed(listed, name);
      return found !== undefined && found.digest !== digest;
    })
    .map(({ name }) => `the model ${plainLine(name)} has another digest than on this server`);
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'its response is not one of Ollama';
  const text = error instanceof Error ? error.message : String(error);
  return plainLine(text, 300);
}
