import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** File with the list of additional Compose files of this server, one per line. */
export const overridesFile = 'overrides';

/** Renders the list of override files that the hardware and Docker of this server need. */
export function renderOverrides({ server }: StackInput): RenderedFile {
  const files = [
    ...(server.startInterval ? ['start-interval.yaml'] : []),
    ...(server.ipv6 ? ['gateway/ipv6.yaml'] : []),
    ...(server.gpu === 'nvidia' ? ['engine/gpu-nvidia.yaml'] : []),
  ];
  return plainFile(overridesFile, files.map((file) => `${file}\n`).join(''));
}
