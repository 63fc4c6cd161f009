import { z } from 'zod';
import { archiveUrl } from './urls.ts';

/** The source of Docker. */
export const docker = z
  .strictObject({
    source: z
      .enum(['auto', 'docker', 'distribution'])
      .default('auto')
      .describe(
        'The packages of Docker Inc. (`docker`), of Debian or Ubuntu (`distribution`), or the former where they can be installed, else the latter (`auto`).',
      ),
    mirror: archiveUrl
      .optional()
      .describe('A mirror of https://download.docker.com/linux, without the distribution.'),
  })
  .default({ source: 'auto' })
  .describe('The source of Docker.');
