import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** The list of Compose files that this server needs besides `compose.yaml`, one a line. */
export const overridesFile = 'overrides';

/** What only some servers have is a file of its own beside the component. */
export function renderOverrides({ server }: StackInput): RenderedFile {
  const files = [
    ...(server.startInterval ? ['start-interval.yaml'] : []),
    ...(server.ipv6 ? ['gateway/ipv6.yaml'] : []),
    ...(server.gpu === 'nvidia' ? ['engine/gpu-nvidia.yaml'] : []),
  ];
  return plainFile(overridesFile, files.map((file) => `${file}\n`).join(''));
}
