import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** File with the list of additional Compose files of this server, one per line. */
export const overridesFile = 'overrides';

/** Renders the list of override files that the hardware, Docker and the site of this server need. */
export function renderOverrides({ site, server }: StackInput): RenderedFile {
  const files = [
    ...(server.startInterval ? ['start-interval.yaml'] : []),
    ...(server.ipv6 ? ['gateway/ipv6.yaml'] : []),
    ...(server.gpu === 'nvidia' ? ['engine/gpu-nvidia.yaml'] : []),
    ...(site.ca === undefined ? [] : ['engine/site-ca.yaml']),
  ];
  return plainFile(overridesFile, files.map((file) => `${file}\n`).join(''));
}
