import { allContainers } from '../containers.ts';
import type { Check } from '../finding.ts';

/** Reports containers that the kernel killed because they exceeded their memory. */
export const memoryCheck: Check = {
  name: 'memory',
  root: true,
  needs: 'server',
  run: async (host) =>
    (await allContainers(host))
      .filter(({ outOfMemory }) => outOfMemory)
      .map(({ name }) => ({
        code: 'OUT_OF_MEMORY',
        subject: name,
        text: `the container ${name} was killed because it exceeded its memory`,
      })),
};
