import { z } from 'zod';
import { areDistinctModels, modelNameSchema } from '../../bundle/model-name.ts';
import { authorities } from '../certificates/ca.ts';
import { bareUrl } from '../urls.ts';
import { swarm } from './swarm.ts';

/** Requests that a node works on at the same time: `OLLAMA_NUM_PARALLEL` of its Ollama. */
const defaultSlots = 1;

const nodeUrl = bareUrl.refine(
  (text) => new URL(text).pathname === '/' && new URL(text).port !== '0',
  'must end after its port, such as http://10.0.0.9:11434',
);

const node = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case, such as gpu1')
    // The balancer has these names for this server and for its tables.
    .regex(/^(?!local$)/, 'is the name of this server')
    .describe('Its name in `landfall engines`.'),
  url: nodeUrl.describe('The endpoint of its Ollama, with the port and without a path.'),
  ca: authorities
    .optional()
    .describe('The authority of its certificate, in PEM, if it is not publicly trusted.'),
  slots: z
    .int()
    .min(1)
    .max(64)
    .default(defaultSlots)
    .describe('Requests at the same time. Equals OLLAMA_NUM_PARALLEL on the node.'),
  weight: z
    .int()
    .min(1)
    .max(256)
    .default(1)
    .describe('Its share of the requests, compared with that of other nodes.'),
  models: z
    .array(modelNameSchema)
    .min(1)
    .max(32)
    .refine(areDistinctModels, 'lists a model twice')
    .optional()
    .describe('Its models, if nodes have different ones. It gets requests for these only.'),
  backup: z
    .boolean()
    .optional()
    .describe('Whether it gets requests only while no other one is healthy.'),
  plain: z
    .literal('i-understand')
    .optional()
    .describe('Required for http: the network between the two can read prompts and responses.'),
});

/** The other servers with Ollama. */
export const engines = z
  .strictObject({
    local: z
      .enum(['yes', 'backup', 'no'])
      .default('yes')
      .describe('Whether the Ollama of this server answers too, or only while no node is healthy.'),
    nodes: z.array(node).max(40).default([]).describe('Other servers with Ollama.'),
    swarm,
  })
  .optional()
  .describe('Local models on several servers, behind HAProxy (scale.md of the documentation).');

export type Engines = NonNullable<z.infer<typeof engines>>;
export type EngineNode = Engines['nodes'][number];
