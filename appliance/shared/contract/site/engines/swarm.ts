import { z } from 'zod';
import { hostOrAddress } from '../network/plain-host.ts';

/** Other servers that join with `landfall node join`, and run Ollama as a service of Docker Swarm. */
export const swarm = z
  .strictObject({
    address: hostOrAddress
      .optional()
      .describe('How the nodes reach this server. Default: its public address.'),
    port: z
      .int()
      .min(1)
      .max(65535)
      .default(51820)
      .describe('The UDP port of WireGuard, which encrypts everything between the servers.'),
    slots: z
      .int()
      .min(1)
      .max(64)
      .default(1)
      .describe('Requests at the same time on each node: its OLLAMA_NUM_PARALLEL.'),
  })
  .optional()
  .describe(
    'Servers that join with one command, as a Docker Swarm behind WireGuard (scale.md of the documentation).',
  );
