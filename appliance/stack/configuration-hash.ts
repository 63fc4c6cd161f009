import { sha256Hex } from '#contract/trust/digest.ts';
import type { RenderedFile } from './rendered-file.ts';

/**
 * Returns a short hash of a component's configuration. As a label of the container it makes Compose
 * recreate exactly the containers whose files changed.
 */
export function configurationHash(files: readonly RenderedFile[]): string {
  return sha256Hex(JSON.stringify(files)).slice(0, 16);
}
