import { z } from 'zod';
import { authorities } from '../certificates/ca.ts';
import { isWideRange } from '../network/wide-range.ts';
import { network } from '../urls.ts';

/** The port of an engine node, at its gateway. */
export const enginePort = 11443;

/** The path where an engine node tells its release. */
export const engineNodePath = '/.well-known/landfall/engine';

export const role = z
  .literal('engine-node')
  .optional()
  .describe(
    'Set for a server whose Ollama answers for another server only (scale.md of the documentation).',
  );

export const engineNode = z
  .strictObject({
    client_ca: authorities
      .optional()
      .describe(
        'The authority of the first server, whose certificate a client must have, in PEM. Not for a Swarm.',
      ),
    clients: z
      .array(network.refine((range) => !isWideRange(range), 'is too wide: list the first server'))
      .min(1)
      .max(16)
      .optional()
      .describe(
        `Addresses that may reach port ${enginePort}: those of the first server. Not for a Swarm.`,
      ),
    slots: z
      .int()
      .min(1)
      .max(64)
      .default(1)
      .describe('Requests at the same time: OLLAMA_NUM_PARALLEL. A Swarm has its own number.'),
  })
  .optional()
  .describe(
    'What an engine node needs to know. `landfall engines show` prints it. A node of a Swarm needs nothing.',
  );
